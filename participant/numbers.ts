/* Numbers as people type them, on any keyboard. The stored digits are the typed ones, and never a guess. */

/** A typed number: its text as the service takes it; two readings, if a separator may mean either; or none. */
export type Reading =
  | { is: 'number'; text: string }
  | { is: 'ambiguous'; whole: string; decimal: string }
  | { is: 'none' };

/** Zeros of the scripts that keyboards have. The other digits of a script follow its zero. */
const zeros = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10,
];

function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

const none: Reading = { is: 'none' };

/** The same text in Latin digits and signs; `d` is a sign that can only stand before decimals, `_` one that only groups. */
const plain = (typed: string) =>
  typed
    .replaceAll(/[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .trim()
    .replaceAll(/\p{Nd}/gu, latinDigit)
    .replace(/^[\u2010-\u2013\u2212\ufe58\ufe63\uff0d]/, '-')
    .replace(/^\uff0b/, '+')
    .replaceAll(/[\u066c\u060c\u3001\uff0c]/g, ',')
    .replaceAll(/[\uff0e\u3002]/g, '.')
    .replaceAll('\u066b', 'd')
    .replace(/^([+-])\s+/, '$1')
    .replaceAll(/(?<=\d)[\s'\u2018\u2019\u02bc\uff07](?=\d)/g, '_');

/** Reads a number with either sign before decimals, with or without separators of thousands. */
export function readNumber(typed: string): Reading {
  const [, sign = '', body = '', exponent = ''] =
    /^([+-]?)([\d.,d_]*\d[.,d]?)([eE][+-]?\d+)?$/.exec(plain(typed)) ?? [];
  if (body === '' || /[d_]/.test(typed)) return none;
  const number = (whole: string, decimals = '') => numberOf(sign, whole, decimals, exponent);
  const separators = [...body.replaceAll(/\d/g, '')];
  const last = separators[separators.length - 1];
  if (last === undefined) return number(body);
  const at = body.lastIndexOf(last);
  const [before, after] = [body.slice(0, at), body.slice(at + 1)];
  const isOnly = separators.length === 1;
  if (last === '_') return isGrouped(body, new Set(separators).size) ? number(digitsOf(body)) : none;
  // Three digits after a first group that no zero begins: thousands to some people, decimals to others.
  if (isOnly && last !== 'd' && /^[1-9]\d{0,2}$/.test(before) && /^\d{3}$/.test(after))
    return exponent ? none : either(sign, before, after);
  if (isOnly) return number(before, after);
  const others = new Set(separators.slice(0, -1));
  if (others.has(last)) return others.size === 1 && isGrouped(body, 1) ? number(digitsOf(body)) : none;
  return isGrouped(before, others.size) ? number(digitsOf(before), after) : none;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/** Groups of one separator: of three digits, or as in India of two before the last three. */
const isGrouped = (text: string, kinds: number) =>
  kinds === 1 && /^[1-9]\d{0,2}(?:(?:[._]\d{3})+|(?:,\d{2,3})*,\d{3})$/.test(text);

function either(sign: string, before: string, after: string): Reading {
  const [whole, decimal] = [numberOf(sign, before + after, '', ''), numberOf(sign, before, after, '')];
  return whole.is === 'number' && decimal.is === 'number'
    ? { is: 'ambiguous', whole: whole.text, decimal: decimal.text }
    : none;
}

/** A JSON number. Decimals stay as they were typed: 1.50 is more exact than 1.5. */
function numberOf(sign: string, whole: string, decimals: string, exponent: string): Reading {
  const text = `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals && `.${decimals}`}${exponent}`;
  return Number.isFinite(Number(text)) ? { is: 'number', text } : none;
}
