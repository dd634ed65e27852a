import type { Context } from '../context.ts';
import { Problem } from '../errors.ts';
import { readItemChanges, readRevisions } from '../log/item-revisions.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';

/** The values of each item of kind `choices`. */
export type ChoiceValues = ReadonlyMap<string, readonly string[]>;

/** The most columns of a table that has one for each value. */
const maxValueColumns = 5_000;

/**
 * The values of each item that is of kind `choices` now: those of now, then those that it had before, from the oldest.
 * @throws csv.too-wide
 */
export async function readChoiceValues(
  context: Context,
  investigation: string,
  survey: string,
): Promise<ChoiceValues> {
  const changes = (await readItemChanges(context, investigation, [survey])).get(survey) ?? [];
  const revisions = [0, ...changes.map(({ position }) => position)].map((since) => ({ survey, since }));
  // The first one is the last that is read, so that what is asked now comes first.
  const [now, ...former] = [...revisions.slice(-1), ...revisions.slice(0, -1)];
  const values = new Map<string, Set<string>>();
  if (!now) return new Map();
  let count = 0;
  for await (const [revision, items] of readRevisions(context, investigation, [now, ...former])) {
    for (const [item, own] of choicesIn(items ?? [])) {
      if (revision === now) values.set(item, new Set());
      const known = values.get(item);
      if (!known) continue;
      count -= known.size;
      for (const value of own) known.add(value);
      count += known.size;
    }
    if (count > maxValueColumns) throw tooWide();
  }
  return new Map([...values].map(([item, own]) => [item, [...own]]));
}

const tooWide = () =>
  new Problem(
    'csv.too-wide',
    `The survey has had more than ${maxValueColumns} values, and each is a column: expected no \`choices\`.`,
    { errors: [{ parameter: 'choices', detail: 'Expected no `choices` for this survey.' }] },
  );

const choicesIn = (items: readonly SurveyItem[]): [string, string[]][] =>
  items.flatMap(({ identifier, answer }) =>
    answer?.kind === 'choices' ? [[identifier, answer.options.map(({ value }) => value)]] : [],
  );
