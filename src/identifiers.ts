import { parse, v5, v7 } from 'uuid';

/** 32 lower-case hexadecimal digits: a UUIDv7 without dashes, so that identifiers sort by time. */
export const newIdentifier = (now: number): string => v7({ msecs: now }).replaceAll('-', '');

const namespace = parse('6f7cc2a1-8b0e-5d4e-9c53-0f1e1d6f2b11');

/**
 * The identifier of an occurrence is derived from its key (a UUIDv5), so that a push repeated after a crash carries
 * the same collapse id and the phone shows one notification.
 */
export const occurrenceIdentifier = (user: string, survey: string, revision: number, on: string): string =>
  v5(`${user}/${survey}/${revision}/${on}`, namespace).replaceAll('-', '');

/** Bytes, such as a digest, as lower-case hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Three hexadecimal digits make two of base64. */
const pairs = Array.from({ length: 4096 }, (_, n) => `${alphabet[n >> 6]}${alphabet[n & 63]}`);

/** The 16 bytes of an identifier in standard base64 with padding. */
export function base64Identifier(identifier: string): string {
  let text = '';
  for (let n = 0; n < 33; n += 3)
    text += pairs[Number.parseInt(identifier.slice(n, n + 3).padEnd(3, '0'), 16)];
  return `${text}==`;
}
