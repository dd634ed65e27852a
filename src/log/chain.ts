import canonicalize from 'canonicalize';
import { sha256 } from '../identifiers.ts';
import type { activities } from './schema.ts';

/** Position and hash of the newest entry; position 0 before the first one. */
export interface Head {
  position: number;
  hash: string;
}

export const genesis: Head = { position: 0, hash: '0'.repeat(64) };

export type Entry = Omit<typeof activities.$inferSelect, 'hash'>;

/** An entry as the API answers it, except `hash` and `actorName`: everything that its hash covers. */
export const shownEntry = (entry: Entry) => ({
  identifier: entry.id,
  investigation: `investigation/${entry.investigationId}`,
  position: entry.position,
  at: new Date(entry.at).toISOString(),
  actor: entry.actorId,
  action: entry.action,
  cases: entry.cases,
  responses: entry.responses,
  ...(entry.reason !== null && { reason: entry.reason }),
  ...(entry.details !== null && { details: entry.details }),
  ...(entry.signature !== null && { signature: entry.signature }),
});

/** SHA-256 over the previous hash, a line feed and the answered entry in canonical JSON (RFC 8785). */
export const chainedHash = (previous: string, entry: Entry): Promise<string> =>
  sha256(`${previous}\n${canonicalize(shownEntry(entry))}`);

/** A stored entry, with its JSON as text, because somebody may have damaged it. */
export interface StoredEntry extends Omit<Entry, 'cases' | 'responses' | 'details' | 'signature'>, Head {
  cases: string;
  responses: string;
  details: string | null;
  signature: string | null;
}

/** The head after `stored`, or undefined when the entry does not continue the chain from `head`. */
export async function verifyEntry(head: Head, stored: StoredEntry): Promise<Head | undefined> {
  const entry = parseEntry(stored);
  if (entry?.position !== head.position + 1) return undefined;
  const { position, hash } = stored;
  return hash === (await chainedHash(head.hash, entry)) ? { position, hash } : undefined;
}

/** Undefined: its JSON cannot be read. */
export function parseEntry({ hash, ...stored }: StoredEntry): Entry | undefined {
  try {
    const { cases, responses, details, signature } = stored;
    return {
      ...stored,
      cases: JSON.parse(cases),
      responses: JSON.parse(responses),
      details: details === null ? null : JSON.parse(details),
      signature: signature === null ? null : JSON.parse(signature),
    };
  } catch {
    return undefined;
  }
}
