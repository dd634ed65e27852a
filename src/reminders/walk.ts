import { and, eq, lte, not, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { oneOf } from '../db/json.ts';
import { wakes } from './schema.ts';
import { maxPairs, type Writing, wakePairs } from './wake.ts';

/* Rows of `wake` are walked page by page: each wakes its pairs. */

export type Wake = typeof wakes.$inferSelect;

/** Rows of which a walk goes on with the first, but for these: those that were written, or failed, least often. */
export const selectWakes = (db: Database, now: number, except: readonly string[] = []) =>
  db
    .select()
    .from(wakes)
    .where(and(lte(wakes.at, now), not(oneOf(wakes.id, except))))
    .orderBy(wakes.version, wakes.at)
    .limit(10);

const isSame = ({ id, version, afterUser, afterSurvey }: Wake) =>
  and(
    eq(wakes.id, id),
    eq(wakes.version, version),
    eq(wakes.afterUser, afterUser),
    eq(wakes.afterSurvey, afterSurvey),
  );

/** A row that failed comes behind the others. */
export async function putBack(db: Database, row: Wake): Promise<void> {
  await db
    .update(wakes)
    .set({ version: row.version + 1 })
    .where(isSame(row));
}

/** Surveys that remind, or reminded somebody: their cursors stand before something. */
const mayRemind = sql.raw(`(s.plain_reminders is not null
  or exists (select 1 from scheduled_notification c where c.user_id = m.user_id and c.survey_id = s.id))`);

/** In SQL: the next pairs of a row, in the order of people and surveys. */
function pageOf({ kind, id, afterUser, afterSurvey }: Wake): SQL {
  const after = sql`(${afterUser}, ${afterSurvey})`;
  if (kind === 'everyone')
    return sql`select user_id, survey_id from scheduled_notification where (user_id, survey_id) > ${after}
      order by user_id, survey_id limit ${maxPairs}`;
  const which = {
    user: sql`m.user_id = ${id}`,
    survey: sql`s.id = ${id}`,
    study: sql`m.investigation_id = ${id}`,
  };
  const from =
    kind === 'survey'
      ? sql`survey s cross join member m on m.investigation_id = s.investigation_id`
      : sql`member m cross join survey s on s.investigation_id = m.investigation_id`;
  return sql`select m.user_id, s.id as survey_id from ${from} where ${which[kind]}
    and m.user_id >= ${afterUser} and (m.user_id, s.id) > ${after} and ${mayRemind}
    order by m.user_id, s.id limit ${maxPairs}`;
}

/**
 * Wakes the next pairs of a row, has their users planned, and notes how far it came. A row that was written anew meanwhile
 * begins again, and one that another walk has brought further goes on from there; one that breaks off repeats its page.
 */
export async function walkPage(
  context: Writing,
  row: Wake,
  plan: (users: string[]) => Promise<void>,
): Promise<void> {
  const { db } = context;
  // After a change for so many the triggers are judged anew.
  const found = await wakePairs(context, pageOf(row), { triggers: sql`null` });
  if (found.length > 0) await plan([...new Set(found.map(({ user }) => user))]);
  const last = found.reduce(
    (a, b) => (a.user > b.user || (a.user === b.user && a.survey > b.survey) ? a : b),
    {
      user: '',
      survey: '',
    },
  );
  if (found.length < maxPairs) await db.delete(wakes).where(isSame(row));
  else await db.update(wakes).set({ afterUser: last.user, afterSurvey: last.survey }).where(isSame(row));
}
