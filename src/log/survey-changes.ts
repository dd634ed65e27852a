import { type Column, type SQL, sql } from 'drizzle-orm';
import { changesItems, surveyOfEntry } from './schema.ts';

type Value = SQL | Column | string;

/** In SQL: the entries that changed the items of a survey after an instant (epoch ms). */
export const itemChangesAfter = (survey: Value, investigation: Value, at: Column | number): SQL =>
  sql`from activity indexed by activity_of_survey where activity.investigation_id = ${investigation} and ${sql.raw(surveyOfEntry)} = ${survey}
    and ${sql.raw(changesItems)} and activity.at > ${at}`;

/** In SQL: 1 if the items of the survey changed after this instant. */
export const hasChangedSince = (survey: Value, investigation: Value, at: Column | number): SQL<number> =>
  sql`exists (select 1 ${itemChangesAfter(survey, investigation, at)})`;
