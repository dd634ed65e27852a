import { eq, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { notifications } from '../../db/schema/notifications.ts';
import { jobRuns } from '../../db/schema/operations.ts';
import type { Context } from '../context.ts';
import { noteRun } from './maintenance.ts';

/*
 * What was settled before compliance was counted is in no count. One walk over all notifications, by their key, counts it:
 * apart, as what is counted late. What is settled since is counted by triggers, wherever the walk is. `earlier` tells who
 * is silent to leave it out, since answers were not noted then.
 */

const job = 'earlier-counts';
/** Behind every key: the walk has ended. */
const end = ['g', '', 0, ''] as const;
type Key = readonly [user: string, survey: string, revision: number, key: string];

/** A view: triggers add what is inserted to the counts of its month. */
const complianceChange = sqliteTable('compliance_change', {
  userId: text('user_id'),
  surveyId: text('survey_id'),
  key: text('occurs_on'),
  was: text(),
  now: text(),
  shown: integer(),
  opened: integer(),
  answered: integer(),
  ofStudy: integer('of_study'),
  ofParticipant: integer('of_participant'),
});

/** Notifications that one batch looks at. */
const sliceSize = 1_000;

/** Counts the next slice. Each batch counts what no earlier one did and notes where it ended. Returns whether more remain. */
export async function countEarlier({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const [run] = await db.select({ after: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, job));
  const after: Key = run ? JSON.parse(run.after) : ['', '', 0, ''];
  if (after[0] === end[0]) return false;
  const { userId, surveyId, revision, key } = notifications;
  const [last] = await db
    .select({ userId, surveyId, revision, key })
    .from(notifications)
    .where(sql`(user_id, survey_id, revision, occurs_on) > ${values(after)}`)
    .orderBy(userId, surveyId, revision, key)
    .limit(1)
    .offset(sliceSize - 1);
  const through: Key = last ? [last.userId, last.surveyId, last.revision, last.key] : end;
  const isUncounted = sql`(user_id, survey_id, revision, occurs_on) > ${values(after)}
    and (user_id, survey_id, revision, occurs_on) <= ${values(through)}
    and state in ('sent', 'failed', 'skipped') and tally is null and apart is null
    and exists (select 1 from survey s where s.id = survey_id)`;
  const outcome = sql`iif(state = 'skipped', 'skipped:' || coalesce(reason, 'unknown'), state)`;
  await db.batch([
    db.insert(complianceChange).select(sql`select user_id, survey_id, occurs_on, '', ${outcome},
      shown_at is not null, opened_at is not null, answered_at is not null, 1, 1
      from scheduled_notification where ${isUncounted}`),
    db
      .update(notifications)
      .set({
        apart: sql`json_patch('{}', json_object(${outcome}, 1, 'shown', nullif(shown_at is not null, 0),
          'opened', nullif(opened_at is not null, 0), 'answered', nullif(answered_at is not null, 0), 'earlier', 0))`,
      })
      .where(isUncounted),
    noteRun(db, { name: job, ranAt: now, after: JSON.stringify(through) }),
  ]);
  return last !== undefined;
}

const values = ([user, survey, revision, key]: Key) => sql`(${user}, ${survey}, ${revision}, ${key})`;
