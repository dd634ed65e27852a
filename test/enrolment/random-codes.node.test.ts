import { expect, test } from 'vitest';
import { newEnrolmentCode } from '../../src/enrolment/codes.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code as a number of 60 bits. */
const bitsOf = (code: string): bigint =>
  [...code].reduce((bits, character) => bits * 32n + BigInt(alphabet.indexOf(character)), 0n);

/** The number of bits that do not follow from others: the rank of the numbers over the field of two elements. */
function independentBits(numbers: readonly bigint[]): number {
  const basis = new Map<number, bigint>();
  for (let rest of numbers)
    while (rest !== 0n) {
      const top = rest.toString(2).length;
      const known = basis.get(top);
      if (known === undefined) {
        basis.set(top, rest);
        break;
      }
      rest ^= known;
    }
  return basis.size;
}

test('a code has 60 random bits: every character everywhere, and none that follows from others', () => {
  const codes = Array.from({ length: 400 }, newEnrolmentCode);
  expect(new Set(codes).size).toBe(codes.length);
  for (let at = 0; at < 12; at++)
    expect(new Set(codes.map((code) => code[at])).size, `characters at ${at}`).toBe(alphabet.length);
  const [first = 0n, ...others] = codes.map(bitsOf);
  expect(independentBits(others.map((bits) => bits ^ first))).toBe(60);
});
