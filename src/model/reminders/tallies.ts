import { type SQL, sql } from 'drizzle-orm';
import type { Notification } from './columns.ts';

/*
 * Triggers count what is settled. To spare them a write of the row, the statement that settles it brings its tally along:
 * what the ones before it came to. Where it cannot, they add it, or count the row apart.
 */

/**
 * In SQL: the tally of a notification that is about to be settled; null when a later one of its revision is settled
 * already. A new revision starts at nothing, but for how many in a row were not answered.
 */
export const tallyOf = ({
  user,
  survey,
  revision,
  key,
  state,
}: Record<'user' | 'survey' | 'revision' | 'key' | 'state', unknown>): SQL => {
  const ofSurvey = (alias: string) =>
    sql`${sql.raw(alias)}.user_id = ${user} and ${sql.raw(alias)}.survey_id = ${survey}`;
  return sql`iif(${state} = 'invalidated' or exists (select 1 from scheduled_notification l
    where ${ofSurvey('l')} and l.revision = ${revision} and l.occurs_on > ${key} and l.state is not null), null,
  coalesce((select t.reached from running_tally t
    where ${ofSurvey('t')} and t.revision = ${revision} and t.occurs_on < ${key} order by t.occurs_on desc limit 1),
  (select json_patch('{}', json_object('unanswered', nullif(t.unanswered, 0))) from running_tally t
    where ${ofSurvey('t')} and t.revision < ${revision} order by t.revision desc, t.occurs_on desc limit 1), '{}'))`;
};

/**
 * Rows that are settled together, in order; `leads` is the first of each revision of a survey, which alone follows a row
 * that is settled already.
 */
export function inSeries(rows: readonly Notification[]): (Notification & { leads: boolean })[] {
  const seen = new Set<string>();
  return rows
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map((row) => {
      const series = `${row.userId} ${row.surveyId} ${row.revision}`;
      const leads = !seen.has(series);
      seen.add(series);
      return { ...row, leads };
    });
}
