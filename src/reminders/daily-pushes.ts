import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { DayTally } from '../schedule/daily-limit.ts';

/** Owners who change a survey's reminders more often than this in a day escape the count. */
const maxRevisions = 100;

/**
 * Outcomes of the user's occurrences on these dates, by study. One round trip, by the keys of the notifications, whose
 * number grows with the user's surveys. Only for users with many surveys.
 */
export const readDailyPushes = (
  { db }: Pick<Context, 'db'>,
  user: string,
  dates: readonly string[],
): Promise<DayTally[]> =>
  db
    .select({
      on: sql<string>`d.value`.as('on'),
      study: sql<string>`m.investigation_id`.as('study'),
      joinedAt: sql<number>`coalesce(m.participant_since, 0)`.as('joined'),
      sent: sql<number>`count(*) filter (where n.state = 'sent')`.as('sent'),
      pending: sql<number>`count(*) filter (where n.settled_at is null)`.as('pending'),
    })
    .from(
      sql`(with recursive back(n) as (
          select 0 union all select n + 1 from back where n < min(${maxRevisions}, (
            select max(s.reminders_revision) from member m
            join survey s on s.investigation_id = m.investigation_id where m.user_id = ${user})))
        select n from back) back
        cross join json_each(${JSON.stringify(dates)}) d
        cross join member m
        cross join survey s on s.investigation_id = m.investigation_id
        cross join scheduled_notification n on n.user_id = m.user_id and n.survey_id = s.id
          and n.revision = s.reminders_revision - back.n and n.occurrence >= d.value and n.occurrence <= d.value || '/999'`,
    )
    .where(sql`m.user_id = ${user}`)
    .groupBy(sql`1, 2, 3`);
