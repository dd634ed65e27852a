import { parse, v5, v7 } from 'uuid';

/** 32 lower-case hexadecimal digits: a UUIDv7 without dashes, so that identifiers sort by time. */
export const newIdentifier = (now: number): string => v7({ msecs: now }).replaceAll('-', '');

/** The issuer of users without an account at a provider: the service signs their tokens. They can be responders only. */
export const participantIssuer = 'urn:fieldbell:participants';

const namespace = parse('6f7cc2a1-8b0e-5d4e-9c53-0f1e1d6f2b11');

/**
 * The identifier of an occurrence: a UUIDv5 of its user, survey, revision and key, so that a push that is repeated after a
 * crash carries the same collapse id and the phone shows one notification. A triggered one has its response instead of
 * the key, so that it is the same on whatever date it comes.
 */
export function occurrenceIdentifier(user: string, survey: string, revision: number, key: string): string {
  const [, , response] = key.split('/');
  return v5(`${user}/${survey}/${revision}/${response ?? key}`, namespace).replaceAll('-', '');
}

/** Bytes, such as a digest, as lower-case hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** 32 random bytes, as hexadecimal digits. */
export const newSecret = (): string => hexOf(crypto.getRandomValues(new Uint8Array(32)));

/** Lower-case hex of the SHA-256 of a text in UTF-8. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hexOf(new Uint8Array(digest));
}

/** Standard base64 with padding of the 16 bytes of an identifier. */
export function base64Identifier(identifier: string): string {
  let bytes = '';
  for (let n = 0; n < identifier.length; n += 2)
    bytes += String.fromCharCode(Number.parseInt(identifier.slice(n, n + 2), 16));
  return btoa(bytes);
}
