import type { Answers, Reasons } from '../db/schema/items.ts';
import { bytesOf } from './limits.ts';

/*
 * A revision stores what it changed since the one before, and now and then the whole response, from which those after
 * it are made. That bounds both sides: a page of old revisions reads one whole response and the changes since, which
 * weigh no more than a response; and whole ones are so rare that they at most double what the changes take.
 */

/** What a responder gives: for each item of the survey an answer, or the number of a reason. */
export interface Content {
  items: Answers;
  reasons: Reasons;
}

/** A merge patch (RFC 7396) over each map: null removes a key. */
export interface Change {
  items: Record<string, string | null>;
  reasons: Record<string, number | null>;
}

export interface StoredChange extends Change {
  /** The number of the revision that is stored whole. */
  base: number;
  /** What the changes since then weigh, this one included. */
  weight: number;
}

/** What is known of the newest revision when the next one is stored. */
export interface Newest {
  number: number;
  base: number | null;
  weight: number | null;
}

/** What a row weighs beside its bytes, so that no chain is long in rows either. */
const rowWeight = 1_000;
/** Chains of small responses get this heavy: 64 rows. */
const minChainWeight = 64_000;

/** The change to store, or undefined when the revision is to be stored whole. */
export function nextChange(
  newest: Newest | undefined,
  before: Content,
  after: Content,
): StoredChange | undefined {
  if (!newest) return undefined;
  const change = {
    items: patchOf(before.items, after.items),
    reasons: patchOf(before.reasons, after.reasons),
  };
  const [bytes, whole] = [bytesOf(change), bytesOf(after)];
  const weight = (newest.weight ?? 0) + bytes + rowWeight;
  if (bytes >= whole || weight > Math.max(whole, minChainWeight)) return undefined;
  return { ...change, base: newest.base ?? newest.number, weight };
}

const patchOf = <T>(before: Record<string, T>, after: Record<string, T>): Record<string, T | null> => ({
  ...Object.fromEntries(
    Object.keys(before)
      .filter((key) => !Object.hasOwn(after, key))
      .map((key) => [key, null]),
  ),
  ...Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value)),
});

interface StoredRevision extends Change {
  number: number;
  base: number | null;
}

/** The revisions from `oldest` on, whole, of rows that are newest first and reach down to a whole one. */
export function readHistory<R extends StoredRevision>(rows: R[], oldest: number): (R & Content)[] {
  let [items, reasons]: [Answers, Reasons] = [{}, {}];
  const whole: (R & Content)[] = [];
  for (const row of rows.toReversed()) {
    if (row.base === null) [items, reasons] = [{}, {}];
    apply(items, row.items);
    apply(reasons, row.reasons);
    if (row.number >= oldest) whole.push({ ...row, items: { ...items }, reasons: { ...reasons } });
  }
  return whole.reverse();
}

function apply<T>(map: Record<string, T>, patch: Record<string, T | null>) {
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete map[key];
    else map[key] = value;
}
