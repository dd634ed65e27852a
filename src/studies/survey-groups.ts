import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { invalid, Problem } from '../errors.ts';
import { knownTo, requireKnown, selectDeclared } from '../permissions/declared-properties.ts';
import type { Property, PropertyRule } from '../permissions/groups.ts';
import type { Role } from '../permissions/roles.ts';
import { noCourse, setsOf } from './dates.ts';
import type { StoredReminders, SurveyItem } from './survey-schema.ts';

/*
 * A survey may be for some people of a study. One that is for people of a blinded property is blinded, too: only owners see it. Its
 * effects must not show elsewhere, or others could tell who takes it.
 */

/** A survey as a change leaves it. */
export interface GroupedSurvey {
  id: string;
  investigation: string;
  for: PropertyRule | null;
  items: readonly SurveyItem[];
  reminders: StoredReminders | null;
}

/** The survey as it was, or null, and the fields of the request. */
interface Changing {
  role: Role;
  before: { for: PropertyRule | null; blinded: boolean } | null;
  given: { [K in 'for' | 'items']?: unknown };
  /** Another survey, which is blinded, triggers the reminders that are set. */
  byBlinded: boolean;
}

/**
 * Whether the survey is blinded after the change. Refuses names and values that the study does not declare, dates that a blinded survey
 * would set, and reminders that it would trigger in surveys that are not blinded. Reads nothing for surveys that are for everybody,
 * before and after. @throws request.invalid
 */
export async function checkGroups(
  db: Database,
  survey: GroupedSurvey,
  { role, before, given, byBlinded }: Changing,
): Promise<boolean> {
  const blinded = await isBlindedAfter(db, survey, { role, before, given });
  const wasBlinded = before?.blinded ?? false;
  if (blinded) {
    const [first] = setsOf(survey.items);
    if (first)
      throw invalid(
        given.items === undefined ? '/for' : first.pointer,
        'Expected no item that sets a date: the survey is blinded, and dates are shown to all staff.',
      );
  }
  if (!blinded && byBlinded) throw triggeredByBlinded('/reminders/trigger/survey');
  if (blinded === wasBlinded || before === null) return blinded;
  const [found] = await query<Neighbours>(db, neighbours, {
    survey: survey.id,
    source: survey.reminders?.trigger?.survey ?? null,
  });
  if (!blinded && found?.source != null) throw triggeredByBlinded('/for');
  if (blinded && found?.triggered != null)
    throw invalid(
      '/for',
      `Expected no blinded property: responses to this survey trigger the reminders of the survey “${found.triggered}”, which is not blinded, so that they would show who takes it.`,
    );
  return blinded;
}

const triggeredByBlinded = (pointer: string) =>
  invalid(
    pointer,
    'Expected a trigger that is not blinded: when its reminders come would show who takes it.',
  );

/** The identifier of a blinded survey that triggers, and the name of one that is triggered and is not blinded. */
interface Neighbours {
  source: string | null;
  triggered: string | null;
}

const neighbours = `select (select s.id from survey s where s.id = :source and s.id <> :survey and s.blinded) as source,
  (select s.name from survey s where s.triggered_by = :survey and s.id <> :survey and not s.blinded limit 1) as triggered`;

async function isBlindedAfter(
  db: Database,
  survey: GroupedSurvey,
  { role, before, given }: Omit<Changing, 'byBlinded'>,
): Promise<boolean> {
  if (survey.for === null) return false;
  if (given.for === undefined) return before?.blinded ?? false;
  const [study] = await selectDeclared(db, survey.investigation);
  const declared = study?.properties ?? [];
  requireKnown(survey.for, knownTo(role, declared), '/for');
  return namesBlinded(survey.for, declared);
}

const namesBlinded = (rule: PropertyRule, declared: readonly Property[]) =>
  declared.some(({ name, blinded }) => blinded && name in rule);

/** A survey of a study, as `noteBlinded` would leave it. */
interface Surveyed {
  id: string;
  name: string;
  for: PropertyRule;
  triggeredBy: string | null;
  triggers: string;
  items: SurveyItem[];
}

const groupedSurveys = `select s.id, s.name, s.for, s.triggered_by as triggeredBy, s.items,
    (select json_group_array(t.id) from survey t where t.triggered_by = s.id and t.id <> s.id) as triggers
  from survey s where s.investigation_id = :investigation and s.for is not null`;

/**
 * Refuses to blind a property as long as surveys that are for some of its values set dates, or trigger reminders of surveys that are not
 * blinded with them; and to end that of a survey that a blinded one triggers. For a change of the properties that a study declares.
 * Reads the surveys that are for some people, and resolves with true, if what is blinded changes. @throws request.invalid
 */
export async function requireBlindable(
  db: Database,
  investigation: string,
  before: { properties?: readonly Property[] | undefined } | null,
  after: { properties?: readonly Property[] | undefined } | null,
): Promise<boolean> {
  const blindedIn = (course: typeof before) =>
    ((course ?? noCourse).properties ?? []).filter(({ blinded }) => blinded).map(({ name }) => name);
  const names = blindedIn(after);
  if (JSON.stringify(blindedIn(before)) === JSON.stringify(names)) return false;
  const surveys = await query<Surveyed>(
    db,
    groupedSurveys,
    { investigation },
    { for: JSON.parse, items: JSON.parse },
  );
  const blinded = new Set(surveys.filter((one) => names.some((name) => name in one.for)).map(({ id }) => id));
  for (const { id, name, items, triggers } of surveys) {
    if (!blinded.has(id)) continue;
    const doing =
      setsOf(items).length > 0
        ? 'sets a date, which all staff see'
        : (JSON.parse(triggers) as string[]).some((other) => !blinded.has(other))
          ? 'triggers reminders of a survey that is not blinded'
          : undefined;
    if (doing)
      throw new Problem(
        'request.invalid',
        `The survey “${name}” would be blinded, and ${doing}: change it first.`,
        { errors: [{ pointer: '/properties', detail: 'Expected no survey that would show who takes it.' }] },
      );
  }
  return true;
}
