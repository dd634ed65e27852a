import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { invalid, Problem } from '../errors.ts';
import type { Course } from './schema.ts';
import type { StoredReminders, SurveyItem } from './survey-schema.ts';

/** A study without declared dates, in which nobody's time ends. */
export const noCourse: Course = { dates: [], participationDays: null, since: 0 };

/** The names of dates that a survey uses, each with its place in the survey. */
function usedDates(reminders: StoredReminders | null | undefined, items: readonly SurveyItem[]) {
  const { from } = reminders ?? {};
  return [
    ...(typeof from === 'object' ? [{ name: from.date, pointer: '/reminders/from/date' }] : []),
    ...setsOf(items),
  ];
}

/** The names of dates that answers set, each with the place of its item. */
export const setsOf = (items: readonly SurveyItem[]) =>
  items.flatMap(({ answer }, n) =>
    answer && 'sets' in answer && answer.sets
      ? [{ name: answer.sets, pointer: `/items/${n}/answer/sets` }]
      : [],
  );

/** Dates that a survey uses are declared by its study. Nothing is read for a survey without. @throws request.invalid */
export async function checkDates(
  db: Database,
  {
    investigation,
    reminders,
    items,
  }: { investigation: string; reminders?: StoredReminders | null | undefined; items: readonly SurveyItem[] },
): Promise<void> {
  const used = usedDates(reminders, items);
  if (used.length === 0) return;
  const [study] = await query<{ course: string | null }>(
    db,
    sql`select course from investigation where id = :investigation`,
    { investigation },
  );
  const declared: Course = study?.course ? JSON.parse(study.course) : noCourse;
  requireDeclared(used, declared.dates);
}

/** The names of dates that a request has as keys, each with its place in the request. */
export const namesIn = (dates: object | null | undefined, pointer: string) =>
  Object.keys(dates ?? {}).map((name) => ({ name, pointer: `${pointer}/${name}` }));

/** @throws request.invalid */
export function requireDeclared(
  used: readonly { name: string; pointer: string }[],
  declared: readonly string[],
): void {
  const unknown = used.find(({ name }) => !declared.includes(name));
  if (!unknown) return;
  throw invalid(
    unknown.pointer,
    declared.length === 0
      ? 'Expected the name of a date that the study declares: it declares none.'
      : `Expected the name of a date that the study declares: ${declared.join(', ')}.`,
  );
}

/** In SQL: a survey of the study whose reminders count from another date than these. */
export const selectUseOf = (db: Database, investigation: string, names: readonly string[]) =>
  query<{ name: string; date: string }>(
    db,
    sql`select s.name, s.plain_reminders ->> '$.from.date' as date from survey s
      where s.investigation_id = :investigation and json_valid(s.plain_reminders)
        and s.plain_reminders ->> '$.from.date' is not null
        and s.plain_reminders ->> '$.from.date' not in (select value from json_each(:names)) limit 1`,
    { investigation, names: JSON.stringify(names) },
  );

export const dateInUse = ({ name, date }: { name: string; date: string }) =>
  new Problem(
    'date.in-use',
    `The reminders of the survey “${name}” count from the date “${date}”: change them first.`,
    {
      errors: [{ pointer: '/dates', detail: 'Expected all dates from which reminders count.' }],
    },
  );
