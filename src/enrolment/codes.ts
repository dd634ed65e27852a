/** Crockford's Base32: no I, L, O or U. `readCode` reads what people type. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const characters = 12;

/** A new code: 60 random bits. */
export const newEnrolmentCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(characters)), (byte) => alphabet[byte & 31]).join('');

/** A code as people read it: three groups. */
export const grouped = (code: string): string => code.replace(/(?<=^.{4}|^.{8})/g, '-');
