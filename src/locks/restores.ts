import { sql } from 'drizzle-orm';
import { isStudy } from '../access/edit-guards.ts';
import { type Held, hasBytes, isBelow, requireBytes, studyFull } from '../access/limits.ts';
import type { Context } from '../context.ts';
import type { ChainedEntry } from '../log/activities.ts';
import { activities } from '../log/schema.ts';

/** The room that deleted items take of their study when they come back. */
interface Restored {
  cases: number;
  bytes: number;
}

export const restoredOf = (changed: Record<'cases' | 'responses', { bytes: number }[]>): Restored => ({
  cases: changed.cases.length,
  bytes: [...changed.cases, ...changed.responses].reduce((sum, { bytes }) => sum + bytes, 0),
});

type Size = (Held & { caseCount: number }) | undefined;

/** Deleted items come back only to a study that has room for them. @throws limit.reached */
export function requireRoom(
  { limits }: Pick<Context, 'limits'>,
  size: Size,
  { cases, bytes }: Restored,
): void {
  requireBytes(size, bytes, limits);
  if (size && cases > 0 && size.caseCount + cases > limits.cases) throw studyFull('cases', limits.cases);
}

/** Appends the entry of a restore; null fails the batch if the study has no room for the items any more. */
export function appendRestore(
  { db, limits }: Pick<Context, 'db' | 'limits'>,
  entry: ChainedEntry,
  { cases, bytes }: Restored,
) {
  const hasCases = cases > 0 ? [isBelow(sql`case_count + ${cases - 1}`, limits.cases)] : [];
  const fits = isStudy(entry.investigationId, hasBytes(bytes, limits.studyBytes), ...hasCases);
  return db.insert(activities).values({ ...entry, action: sql`case when ${fits} then ${entry.action} end` });
}
