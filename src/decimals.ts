/** A number as JSON writes it. */
export const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * A negative number, zero or a positive one, as the first JSON number is less than, equal to or more than the second: by their
 * digits, since a double keeps 17 of them.
 */
export function compareDecimals(a: string, b: string): number {
  const [x, y] = [partsOf(a), partsOf(b)];
  if (x.sign !== y.sign) return x.sign - y.sign;
  const size = x.magnitude - y.magnitude || (x.digits === y.digits ? 0 : x.digits < y.digits ? -1 : 1);
  return size * x.sign;
}

/** Digits without zeros at either end, which compare as text, and where the point stands before the first of them. */
function partsOf(text: string) {
  const [, minus, whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + decimals;
  const first = all.search(/[1-9]/);
  if (first < 0) return { sign: 0, magnitude: 0, digits: '' };
  // No pattern that ends in `$`: within a long run of zeros it begins at each of them.
  let end = all.length;
  while (all[end - 1] === '0') end--;
  const magnitude = whole.length - first + Number(exponent);
  return { sign: minus ? -1 : 1, magnitude, digits: all.slice(first, end) };
}
