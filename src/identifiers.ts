import { parse, v5, v7 } from 'uuid';

/** 32 lower-case hexadecimal digits: a UUIDv7 without dashes, so that identifiers sort by time. */
export const newIdentifier = (now: number): string => v7({ msecs: now }).replaceAll('-', '');

const namespace = parse('6f7cc2a1-8b0e-5d4e-9c53-0f1e1d6f2b11');

/**
 * The identifier of an occurrence is derived from its user, survey, revision and key (a UUIDv5), so that a push repeated after a crash carries
 * the same collapse id and the phone shows one notification.
 */
export const occurrenceIdentifier = (user: string, survey: string, revision: number, key: string): string =>
  v5(`${user}/${survey}/${revision}/${key}`, namespace).replaceAll('-', '');

/** Bytes, such as a digest, as lower-case hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Standard base64 with padding of the 16 bytes of an identifier. */
export function base64Identifier(identifier: string): string {
  let bytes = '';
  for (let n = 0; n < identifier.length; n += 2)
    bytes += String.fromCharCode(Number.parseInt(identifier.slice(n, n + 2), 16));
  return btoa(bytes);
}
