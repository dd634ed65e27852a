import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import type { DayTally } from '../schedule/daily-limit.ts';
import { dayMs } from '../schedule/days.ts';

/** The local date of a user's occurrences in one study. */
export interface PersonDay {
  user: string;
  study: string;
  on: string;
}

/** Pushes of the last days, which a turn counts with its decisions: none of them is on an earlier date. */
export const talliedMs = 2 * dayMs;

/** In SQL: how often user `u` was pushed to since then, occurrences that were not pushed included. */
export const recentPushes = sql`(select coalesce(sum(max(1, coalesce(json_array_length(t.pushes), 0))), 0) from notification t
  where t.user_id = u.id and t.due_at > :now - ${2 * talliedMs})`;

/** In SQL: how often a notification was pushed, a nudge that is being tried again included. */
const pushesOfRow = sql`iif(n.state = 'sent', 1 + (select count(*) from json_each(n.pushes) f
  where f.value ->> 'kind' <> 'first' and f.value ->> 'state' in ('sent', 'retrying')), 0)`;

/**
 * Pushes and skipped occurrences of users on these days, earlier revisions included. One round trip, by the due times of
 * the notifications, which are within two days of their dates.
 */
export const readDailyPushes = ({ db }: Pick<Context, 'db'>, days: readonly PersonDay[]) =>
  query<PersonDay & DayTally>(db, tallies, {
    days: JSON.stringify(days.map((day) => ({ ...day, at: Date.parse(day.on) }))),
  });

const tallies = sql`select d.value ->> 'user' as user, d.value ->> 'study' as study, d.value ->> 'on' as "on",
    coalesce(sum(${pushesOfRow}), 0) as pushes, count(nullif(n.outcome, 'sent')) as skipped
  from json_each(:days) d
  left join notification n on n.user_id = d.value ->> 'user'
    and n.due_at between (d.value ->> 'at') - ${2 * dayMs} and (d.value ->> 'at') + ${3 * dayMs}
    and substr(n.occurrence, 1, 10) = d.value ->> 'on'
    and n.survey_id in (select s.id from survey s where s.investigation_id = d.value ->> 'study')
  group by 1, 2, 3`;
