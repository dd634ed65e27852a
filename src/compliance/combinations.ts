import { type SQL, sql } from 'drizzle-orm';
import { type AskedPart, type Asking, askedSurveys, isAskedCombination } from './filter.ts';

/*
 * Counts of a part of a study are the sums of the combinations of properties that fit: those are found by a walk from each
 * combination of a survey to its next one, however many dates and outcomes each has.
 */

/** The place of a walk: behind this survey and combination. */
export interface Place {
  survey: string;
  combination: string | null;
}

const start: Place = { survey: '', combination: '' };

/** From a place on, `most` fitting combinations at most. */
interface Walk {
  place?: Place | undefined;
  most?: SQL;
}

/** Combinations that one statement walks over, those of other parts included. */
const maxWalked = sql.raw('5000');

/** In SQL: the next combination of a survey that has counts. */
const next = (survey: SQL, combination: SQL): SQL =>
  sql`(select c.properties from survey_compliance c where c.survey_id = ${survey} and c.properties > ${combination}
    order by c.properties limit 1)`;

/**
 * In SQL, for `with recursive`: `walked`, the next combinations of the requested surveys, by survey and combination, and those of
 * them that fit, `fitting`, at most `most`. For a part of the study only: the counts of everybody are added up already.
 */
export const walkCombinations = (
  context: Asking,
  asked: AskedPart,
  { place: { survey, combination } = start, most = sql.raw('-1') }: Walk = {},
): SQL => sql`asked(survey) as materialized (
      select s.id from (${askedSurveys(context, asked)}) s where s.id >= ${survey}),
    walk(survey, properties) as (
      select survey, ${next(sql`survey`, sql`iif(survey = ${survey}, ${combination}, '')`)} from asked
      union all
      select w.survey, ${next(sql`w.survey`, sql`w.properties`)} from walk w where w.properties is not null
      order by 1, 2 limit ${maxWalked}),
    walked(survey, properties) as materialized (select survey, properties from walk),
    fitting(survey, properties) as materialized (
      select survey, properties from walked
      where properties is not null and ${isAskedCombination(context, asked, sql`properties`)} limit ${most})`;

/** In SQL: the place at which the walk ends, `survey` and `combination`; no row if it is over. */
export const endOfWalk = (most: SQL): SQL => sql`select survey, properties as combination from (
    select * from (select survey, properties from fitting limit 1 offset ${most} - 1)
    union all select * from (select survey, properties from walked limit 1 offset ${maxWalked} - 1)) limit 1`;
