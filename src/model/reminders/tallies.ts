import { sql } from 'drizzle-orm';
import { notifications } from '../../db/schema/notifications.ts';

const isCounted = sql`(${notifications.tally} is not null or ${notifications.apart} is not null)`;

const isOfSurvey = sql`t.user_id = ${notifications.userId} and t.survey_id = ${notifications.surveyId}`;

/**
 * In SQL: the tally of a pending notification that an upsert settles, which is what the ones before it came to. Triggers
 * count what is settled, and would add it otherwise, in a write of their own. They do when a later one of its revision is
 * settled already, or when the one before it has no tally, so that they have to look at more. A new revision starts at
 * nothing, but for how many in a row were not answered.
 */
export const tallyOfSettled = sql`iif(${isCounted}, ${notifications.tally}, iif(
  excluded.state = 'invalidated' or exists (select 1 from scheduled_notification t
    where ${isOfSurvey} and t.revision = ${notifications.revision} and t.occurs_on > ${notifications.key}
      and t.state is not null), null,
  nullif(coalesce((select t.reached from reached_tally t where ${isOfSurvey} and t.revision = ${notifications.revision}
      and t.occurs_on < ${notifications.key} order by t.occurs_on desc limit 1),
    (select iif(t.tally is null, '', json_patch('{}', json_object('unanswered', nullif(t.unanswered, 0))))
      from reached_tally t where ${isOfSurvey} and t.revision < ${notifications.revision}
      order by t.revision desc, t.occurs_on desc limit 1), '{}'), '')))`;
