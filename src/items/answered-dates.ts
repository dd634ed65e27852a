import { type SQL, sql } from 'drizzle-orm';
import { named, query } from '../db/query.ts';
import { type Waking, wakePairs } from '../reminders/wake.ts';
import { isDate } from '../schedule/civil.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';

/** The dates, by name, that answers set: of a change, only answers that it changes. */
export function datesIn(
  surveyItems: readonly SurveyItem[],
  answers: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const found = surveyItems.flatMap(({ identifier, answer }): [string, string][] => {
    const given = Object.hasOwn(answers, identifier) ? answers[identifier] : undefined;
    const sets = answer?.kind === 'date' ? answer.sets : undefined;
    const isNew = !Object.hasOwn(before, identifier) || before[identifier] !== given;
    // An answer to an earlier form of the survey is not checked.
    return sets !== undefined && given !== undefined && isNew && isDate(given) ? [[sets, given]] : [];
  });
  return Object.fromEntries(found);
}

interface Answered {
  investigation: string;
  /** The answerer. */
  user: string;
  dates: Record<string, string>;
  /** Epoch ms: when the answer was given. Dates that were set since then stay. */
  asOf: number;
  /** The response, and the revision that it has if the answer is written. */
  response: string;
  revision: string;
}

type Values = Record<'investigation' | 'user' | 'given' | 'asOf' | 'response' | 'revision', SQL>;

/** In SQL: the dates that move, with their instants, as `dates`. */
const moved = ({ investigation, user, given, asOf, response, revision }: Values) =>
  sql`(select json_group_object(g.key, json(g.value)) as dates from member m
    join investigation i on i.id = m.investigation_id cross join json_each(${given}) g
    where m.investigation_id = ${investigation} and m.user_id = ${user}
      and exists (select 1 from response r where r.id = ${response} and r.revision_id = ${revision})
      and g.key in (select value from json_each(i.course, '$.dates'))
      and g.value ->> 0 is not m.dates -> g.key ->> 0 and coalesce(m.dates -> g.key ->> 2, 0) <= ${asOf})`;

const byName: Values = {
  investigation: named('investigation'),
  user: named('user'),
  given: named('given'),
  asOf: named('asOf'),
  response: named('response'),
  revision: named('revision'),
};
const noteMoved = sql`insert into new_change select :investigation, 'member', :user, 'active', :now, null
  from ${moved(byName)} p where p.dates <> '{}'`;
const setMoved = sql`update member set dates = json_patch(coalesce(member.dates, '{}'), p.dates)
  from ${moved(byName)} p where member.investigation_id = :investigation and member.user_id = :user and p.dates <> '{}'`;

/** The statements that set the answerer's dates, behind those of the answer: their plans, the feed, and the dates. */
export function setAnswered(context: Waking, { dates, ...answered }: Answered) {
  if (Object.keys(dates).length === 0) return [];
  const { db, now } = context;
  const { investigation, user } = answered;
  const given = JSON.stringify(
    Object.fromEntries(Object.entries(dates).map(([name, date]) => [name, [date, now, answered.asOf]])),
  );
  const values = { ...answered, given, now };
  const inPlace = Object.fromEntries(
    Object.keys(byName).map((name) => [name, sql`${values[name as keyof Values]}`]),
  ) as Values;
  context.woken.add(user);
  const pairs = sql`select ${user} as user_id, s.id as survey_id from survey s
    where s.investigation_id = ${investigation} and s.plain_reminders is not null
      and (select p.dates from ${moved(inPlace)} p) <> '{}'`;
  return [wakePairs(context, pairs), query(db, noteMoved, values), query(db, setMoved, values)] as const;
}
