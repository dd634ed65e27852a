import { parse, v5, v7 } from 'uuid';

/** 32 lower-case hexadecimal digits: a UUIDv7 without dashes, so that identifiers sort by time. */
export const newIdentifier = (now: number): string => v7({ msecs: now }).replaceAll('-', '');

/** The issuer of users without an account at a provider: the service signs their tokens. They can be responders only. */
export const participantIssuer = 'urn:fieldbell:participants';

const namespace = parse('6f7cc2a1-8b0e-5d4e-9c53-0f1e1d6f2b11');

/** Revisions of reminders that an identifier distinguishes. */
export const revisionsTold = 4096;

const dayMs = 24 * 3600 * 1000;

/** Dates that an identifier distinguishes, from 2010 on: for 179 years. */
const daysTold = 65_536;
const firstDayTold = Date.parse('2010-01-01') / dayMs;

/**
 * The identifier of an occurrence is made from its user, survey, revision and key, so that a push repeated after a crash
 * carries the same collapse id and the phone shows one notification. `partsOfOccurrence` splits it into the parts that
 * find the row: the end of the user's identifier, a hash of the survey's, the revision, the date and the slot. That of a
 * triggered one has the end of its response's identifier instead of the last three, so that it is the same whatever changes.
 */
export function occurrenceIdentifier(user: string, survey: string, revision: number, key: string): string {
  const [on = '', slot, response] = key.split('/');
  const start = user.slice(20) + surveyDigits(survey);
  if (response !== undefined) return start + response.slice(-responseDigits);
  return (
    start +
    hexDigits(revision % revisionsTold, 3) +
    hexDigits((Date.parse(on) / dayMs) % daysTold, 4) +
    (slot === undefined ? 'ff' : hexDigits(Number(slot), 2))
  );
}

/** The survey's part of an occurrence's identifier. */
export const surveyDigits = (survey: string): string =>
  v5(survey, namespace).replaceAll('-', '').slice(0, 11);

const responseDigits = 9;

const hexDigits = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

interface OccurrenceParts {
  /** The last 12 digits of the user's identifier. */
  userEnd: string;
  /** The `surveyDigits` of the survey. */
  survey: string;
  /** Modulo `revisionsTold`. */
  revision: number;
  /** With a date from 2010 to 2189. */
  key: string;
  /** The end of the response's identifier, of a triggered one. */
  responseEnd: string;
}

/** The parts of an occurrence's identifier. */
export function partsOfOccurrence(identifier: string): OccurrenceParts {
  const at = (from: number, to: number) => Number.parseInt(identifier.slice(from, to), 16);
  const told = at(26, 30);
  const day = told < firstDayTold ? told + daysTold : told;
  const on = new Date(day * dayMs).toISOString().slice(0, 10);
  const slot = at(30, 32);
  return {
    userEnd: identifier.slice(0, 12),
    survey: identifier.slice(12, 23),
    revision: at(23, 26),
    key: slot === 255 ? on : `${on}/${String(slot).padStart(3, '0')}`,
    responseEnd: identifier.slice(-responseDigits),
  };
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
