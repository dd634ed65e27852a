import { and, type SQL, sql } from 'drizzle-orm';
import { participantCompliance } from '../compliance/schema.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { each, oneOf } from '../db/json.ts';
import { dateOf, dayMs } from '../schedule/days.ts';
import { retentionMs } from '../schedule/retention.ts';
import { investigations } from '../studies/schema.ts';
import { maxZones } from './effective-zone.ts';
import { notifications, zoneChanges } from './schema.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** Studies whose notifications one statement counts. */
const studiesPerStatement = 5;

/** Counters of a study that are added up: those of some fifty surveys with a reminder a day. The rest is not counted. */
const maxCounters = 20_000;

/** Bytes that a notification counts: roughly its row and index entry, with the results of its pushes. */
const notificationBytes = 300;

/**
 * Counts the notifications that these studies keep among their bytes, as compliance knows them: by a counter for each
 * survey, date and outcome, however many people there are.
 */
export async function countNotifications(
  { db, now }: Maintaining,
  studies: readonly string[],
): Promise<void> {
  const since = dateOf(Math.floor((now - retentionMs) / dayMs));
  const bytes = sql`${sql.raw(String(notificationBytes))} * (select coalesce(sum(n), 0) from (
    select c.n from survey s cross join survey_compliance c on c.survey_id = s.id and c.properties = '' and c.date >= ${since}
    where s.investigation_id = ${investigations.id} limit ${sql.raw(String(maxCounters))}))`;
  for (let n = 0; n < studies.length; n += studiesPerStatement) {
    const some = oneOf(investigations.id, studies.slice(n, n + studiesPerStatement));
    await db
      .update(investigations)
      .set({ notifiedBytes: bytes })
      .where(and(some, sql`notified_bytes <> ${bytes}`));
  }
}

/** Removes the zones of these users or studies but for the last {@link maxZones} of each. */
export async function forgetZones({ db }: Pick<Maintaining, 'db'>, of: readonly string[]): Promise<void> {
  await db
    .delete(zoneChanges)
    .where(
      and(
        oneOf(zoneChanges.ofId, of),
        sql`position <= (select max(z.position) from zone_change z where z.of_id = ${zoneChanges.ofId}) - ${maxZones}`,
      ),
    );
}

/** Notifications that one statement removes, and statements per call. */
const purgeSize = 1000;
const maxPurges = 20;

/**
 * Removes settled notifications of these users that are past their retention, and adds their outcomes to the user's
 * months: the totals of the survey have them already. They are the first of each user.
 */
export async function purgeNotifications(
  { db, now }: Maintaining,
  slice: readonly string[],
): Promise<number> {
  const before = now - retentionMs;
  const expired = (columns: string) => sql`select ${sql.raw(columns)} from ${each(slice)} u
    cross join notification n on n.user_id = u.value and n.due_at < ${before}
    where n.settled_at < ${before} limit ${purgeSize}`;
  let purged = 0;
  for (let run = 0; run < maxPurges; run++) {
    const [, gone] = await db.batch([
      keepCounts(db, expired('n.*')),
      db
        .delete(notifications)
        .where(sql`(user_id, due_at, id) in (${expired('n.user_id, n.due_at, n.id')})`)
        .returning({ key: notifications.key }),
    ]);
    purged += gone.length;
    if (gone.length < purgeSize) break;
  }
  return purged;
}

/** Adds the outcomes of these notifications to the months of their users, except in deleted studies. */
const keepCounts = (db: Database, rows: SQL) =>
  db
    .insert(participantCompliance)
    .select(
      sql`select user_id, survey_id, substr(occurrence, 1, 7), json_group_array(json_array(substr(occurrence, 1, 10),
          outcome, shown_at is not null, opened_at is not null, answered_at is not null, answered_late is not null))
        from (${rows}) where outcome is not null group by 1, 2, 3
        having exists (select 1 from survey s where s.id = survey_id
          and not exists (select 1 from deleted_study d where d.investigation_id = s.investigation_id))`,
    )
    .onConflictDoUpdate({
      target: [participantCompliance.userId, participantCompliance.surveyId, participantCompliance.month],
      // Concatenates two JSON arrays.
      set: {
        counts: sql`substr(${participantCompliance.counts}, 1, length(${participantCompliance.counts}) - 1)
          || ',' || substr(excluded.counts, 2)`,
      },
    });
