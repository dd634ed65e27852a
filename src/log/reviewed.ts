import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';

/** Positions of the log, both included. */
export interface Range {
  from: number;
  to: number;
}

/** The newest review of a log, and all that is reviewed since. */
export interface Reviewed {
  /** The range of this review, and all ranges: apart from each other, in order. */
  details: Range & { ranges: Range[] };
  at: number;
  actor: string;
  actorName: string | null;
  comment: string | null;
}

/** No row before the first review. */
export const selectReviewed = (db: Database, investigation: string) =>
  query<Reviewed>(
    db,
    `select details, at, actor_id as actor, (select u.name from user u where u.id = actor_id) as actorName,
      reason as comment from activity indexed by activity_of_reviews
      where investigation_id = :investigation and action = 'log.reviewed' order by position desc limit 1`,
    { investigation },
    { details: JSON.parse },
  );

/** Everything up to this position is reviewed; 0 if the first entry is not. */
export const reviewedThrough = ([first]: readonly Range[]): number => (first?.from === 1 ? first.to : 0);

/** The ranges with one more: those that touch become one. */
export function withRange(ranges: readonly Range[], added: Range): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges, added].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else joined.push({ ...range });
  }
  return joined;
}
