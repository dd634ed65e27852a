/*
 * Codes as people type and paste them. Shared by the service and the participants' page, so that both read the same: the
 * page runs in older browsers, too, and so without lookbehind.
 */

/** More characters than any message has that people paste a code with. */
export const longestTyped = 2000;

/** Crockford's Base32: no I, L, O or U. A code that a person wrote down may have O for 0, and I or L for 1. */
const isCode = (word: string) => /^[0-9A-HJKMNP-TV-Z]{12}$/.test(word);
const isGroup = (word: string) => /^[0-9A-HJKMNP-TV-Z]{4}$/.test(word);
const asWritten = (text: string) => text.replaceAll('O', '0').replaceAll(/[IL]/g, '1');

/**
 * The code in what a person typed or pasted: in any case, with or without hyphens, O for 0, and I or L for 1; with other
 * dashes, digits and invisible characters, in quotes, with a full stop; in a link or in a sentence. Null if there is none,
 * or if there are several.
 */
export function readCode(typed: string): string | null {
  const text = plain(typed.slice(0, longestTyped));
  const upper = text.toUpperCase();
  const whole = asWritten(upper.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  if (isCode(whole)) return whole;
  // In a sentence, words such as "Participants" look like codes that somebody wrote down: what has no such letter is better.
  const readings = [text, upper, asWritten(upper)];
  for (const find of [inFragment, amongWords, amongGroups])
    for (const reading of readings) {
      const codes = new Set(find(reading));
      if (codes.size > 0) return codes.size === 1 ? ([...codes][0] ?? null) : null;
    }
  return null;
}

/** Also the letters that keyboards of Japanese, Korean and Chinese write for a hyphen. */
const otherDashes = /[\p{Pd}\u2212\u2043\u30fc\u1173\u4e00]/gu;

/** With plain letters, digits and hyphens, without what nobody sees, and without the percent signs of links. */
function plain(typed: string): string {
  let text = typed;
  // A mail gateway may encode a link again.
  for (let n = 0; n < 3 && text.includes('%'); n++)
    text = text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => decoded(encoded) ?? ' ');
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(otherDashes, '-')
    .replaceAll(/\p{Nd}/gu, digitOf);
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** A digit of any script: each has its ten in a row. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value % 10);
}

const wordsOf = (text: string) =>
  text.split(/[^\p{L}\p{N}-]+/u).map((word) => word.replaceAll(/^-+|-+$/g, ''));

/** A word that is a code, with or without its hyphens: a hyphen elsewhere makes it another word, such as a UUID. */
const codesIn = (words: readonly string[]) =>
  words
    .filter((word) => /^.{4}-+.{4}-+.{4}$|^[^-]*$/.test(word))
    .map((word) => word.replaceAll('-', ''))
    .filter(isCode);

/** Behind the `#` of a link. */
const inFragment = (text: string) =>
  codesIn(
    text
      .split('#')
      .slice(1)
      .map((after) => wordsOf(after.trimStart())[0] ?? ''),
  );

const amongWords = (text: string) => codesIn(wordsOf(text));

/** Three groups of four, with spaces or line breaks between, but not those within a UUID. */
function amongGroups(text: string): string[] {
  const groups = wordsOf(text)
    .filter((word) => word !== '')
    .flatMap((word) => (/^.{4}(?:-+.{4})*$/.test(word) ? word.split(/-+/) : ['']));
  return groups.flatMap((_, n) => {
    const three = groups.slice(n, n + 3);
    return three.length === 3 && three.every(isGroup) ? [three.join('')] : [];
  });
}
