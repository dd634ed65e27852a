import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { each } from '../db/json.ts';
import type { DayTally } from '../schedule/daily-limit.ts';

/** The local date of a user's occurrences in one study. */
export interface StudyDay {
  study: string;
  on: string;
}

/** Revisions of a survey's reminders that are looked at. The day of an owner who sets more of them counts as full. */
const maxRevisions = 100;

/** In SQL: the last revision of a user's and a survey's notifications, before another one. */
const lastRevision = (user: string, before = sql``) =>
  sql`(select max(n.revision) from scheduled_notification n where n.user_id = ${user} ${before})`;

/**
 * Pushes and skipped occurrences of a user on these days, earlier revisions included: the first revision without any on the
 * date or later was over before. One round trip, by the keys of the notifications.
 */
export const readDailyPushes = (
  { db }: Pick<Context, 'db'>,
  user: string,
  days: readonly StudyDay[],
): Promise<(StudyDay & DayTally)[]> =>
  db
    .select({
      study: sql<string>`r.study`.as('study'),
      on: sql<string>`r.day`.as('day'),
      pushes: sql<number>`iif(max(r.depth) = ${maxRevisions}, 9e15, sum(${pushesOfRow}))`.as('pushes'),
      skipped: sql<number>`count(nullif(n.outcome, 'sent'))`.as('skipped'),
    })
    .from(
      sql`(with recursive asked(study, day) as (select value ->> 'study', value ->> 'on' from ${each(days)}),
          revised(study, day, survey, revision, depth) as (
            select a.study, a.day, s.id, ${lastRevision(user, sql`and n.survey_id = s.id`)}, 1
            from asked a cross join survey s on s.investigation_id = a.study
            union all
            select e.study, e.day, e.survey,
              ${lastRevision(user, sql`and n.survey_id = e.survey and n.revision < e.revision`)}, e.depth + 1
            from revised e where e.depth < ${maxRevisions} and exists (select 1 from scheduled_notification l
              where l.user_id = ${user} and l.survey_id = e.survey and l.revision = e.revision and l.occurrence >= e.day))
        select * from revised where revision is not null) r
        left join scheduled_notification n on n.user_id = ${user} and n.survey_id = r.survey
          and n.revision = r.revision and n.occurrence >= r.day and n.occurrence <= r.day || '/999'`,
    )
    .groupBy(sql`1, 2`);

/** In SQL: how often a notification was pushed, a nudge that is being tried again included. */
const pushesOfRow = sql`iif(n.state = 'sent', 1 + (select count(*) from json_each(n.follow_ups) f
  where f.value ->> 'state' in ('sent', 'retrying')), 0)`;
