import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/*
 * Checks a log by the formula in the API document. It shares no code with the service, so that a mistake there cannot
 * hide here.
 */

/** The fault, and its position. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}

export type Entry = Record<string, unknown>;

/** How far the chain has been followed. */
export interface Followed {
  investigation: string | undefined;
  position: number;
  hash: string;
  /** The newest entry, all of which its hash covers; of one that is shown with less, the part that is shown. */
  entry: Entry;
  /** Entries that are shown with less. */
  redacted: number;
}

export const beginning: Followed = {
  investigation: undefined,
  position: 0,
  hash: '0'.repeat(64),
  entry: {},
  redacted: 0,
};

/** Follows the chain by one line of the export. @throws BrokenChain */
export function follow(before: Followed, line: string): Followed {
  const expected = before.position + 1;
  const entry = parse(line, expected);
  const { hash, actorName: _, ...hashed } = entry;
  const { position, investigation } = hashed;
  if (typeof position !== 'number' || typeof hash !== 'string' || typeof investigation !== 'string')
    throw new BrokenChain(`position ${expected}: the line has no position, hash or investigation`);
  if (position > expected)
    throw new BrokenChain(`position ${expected}: it is missing; the next entry says ${position}`);
  if (position < expected)
    throw new BrokenChain(`position ${expected}: an entry that says ${position} was put in or moved here`);
  if (before.investigation !== undefined && before.investigation !== investigation)
    throw new BrokenChain(`position ${expected}: the entry is of another study, ${investigation}`);
  const isRedacted = entry.redacted === true;
  if (isRedacted && !/^[0-9a-f]{64}$/.test(hash))
    throw new BrokenChain(`position ${expected}: the hash is none`);
  // Its hash covers more than what is shown, and links it with the next entry all the same.
  if (!isRedacted && hash !== sha256(`${before.hash}\n${canonicalize(hashed)}`))
    throw new BrokenChain(
      `position ${expected}: the hash does not fit: this entry was edited, put in or moved, or the one before it was`,
    );
  return { investigation, position, hash, entry: hashed, redacted: before.redacted + (isRedacted ? 1 : 0) };
}

function parse(line: string, expected: number): Entry {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === 'object' && entry !== null) return entry as Entry;
  } catch {}
  throw new BrokenChain(`position ${expected}: the line is not a JSON object`);
}

export const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
