import { type SQL, sql } from 'drizzle-orm';

/** In SQL: users of table `u` and the surveys of which they have had notifications, found without reading those. */
export function notifiedSurveys(condition: SQL): SQL {
  const next = (where: SQL) => sql`(select min(n.survey_id) from scheduled_notification n where ${where})`;
  return sql`(with recursive pairs(user, survey) as (
    select u.id, ${next(sql`n.user_id = u.id`)} from user u where ${condition}
    union all select user, ${next(sql`n.user_id = user and n.survey_id > survey`)} from pairs
      where survey is not null) select user, survey from pairs where survey is not null)`;
}
