/** Crockford's Base32: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const characters = 12;

/** A new code: 60 random bits. */
export const newCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(characters)), (byte) => alphabet[byte & 31]).join('');

/** A code as people read it: three groups. */
export const grouped = (code: string): string => code.replace(/(?<=^.{4}|^.{8})/g, '-');

/**
 * The code that a person typed: in any case, with or without its hyphens, O for 0, and I or L for 1. Null if no code
 * looks like it.
 */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === characters && [...code].every((one) => alphabet.includes(one)) ? code : null;
}
