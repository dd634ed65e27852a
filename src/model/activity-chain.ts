import type { activities } from '../db/schema.ts';
import { hexOf } from '../identifiers.ts';

/** Position and hash of the newest entry; position 0 before the first one. */
export interface Head {
  position: number;
  hash: string;
}

export const genesis: Head = { position: 0, hash: '0'.repeat(64) };

type Entry = Omit<typeof activities.$inferSelect, 'hash'>;

/** SHA-256 over the previous hash and the entry's canonical JSON: an array of its fields in this order. */
export async function chainedHash(previous: string, entry: Entry): Promise<string> {
  const canonical = JSON.stringify([
    entry.investigationId,
    entry.position,
    entry.id,
    entry.at,
    entry.actorId,
    entry.action,
    entry.cases,
    entry.responses,
    entry.reason,
    entry.details,
  ]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${previous}\n${canonical}`));
  return hexOf(new Uint8Array(digest));
}

/** An entry as stored, with its JSON as text, because somebody may have damaged it. */
export interface StoredEntry extends Omit<Entry, 'cases' | 'responses' | 'details'> {
  cases: string;
  responses: string;
  details: string | null;
  hash: string;
}

/** The head after `stored`, or undefined when the entry does not continue the chain from `head`. */
export async function follow(head: Head, { hash, ...stored }: StoredEntry): Promise<Head | undefined> {
  const entry = parseEntry(stored);
  if (entry?.position !== head.position + 1 || hash !== (await chainedHash(head.hash, entry)))
    return undefined;
  return { position: entry.position, hash };
}

function parseEntry(stored: Omit<StoredEntry, 'hash'>): Entry | undefined {
  try {
    const { cases, responses, details } = stored;
    return {
      ...stored,
      cases: JSON.parse(cases),
      responses: JSON.parse(responses),
      details: details === null ? null : JSON.parse(details),
    };
  } catch {
    return undefined;
  }
}
