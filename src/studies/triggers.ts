import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { invalid } from '../errors.ts';
import type { Role } from '../permissions/roles.ts';
import { minutesInCircle } from '../schedule/triggers.ts';
import type { StoredReminders, SurveyItem } from './survey-schema.ts';

/** A survey with reminders. */
interface Triggered {
  /** Of the member who sets them: others than owners know no blinded surveys. */
  role: Role;
  id: string;
  investigation: string;
  items: readonly SurveyItem[];
  reminders: StoredReminders | null | undefined;
}

interface Source {
  id: string;
  after: number | null;
  /** Null: of another study. Only of the first. */
  items: SurveyItem[] | null;
  blinded: number;
}

/**
 * The survey that triggers `survey`, the one that triggers that, and so on, up to the survey itself: each survey has one
 * trigger, so that they are a line.
 */
const sourcesOf = `with recursive source(id) as (
  select :source union select s.triggered_by from source o join survey s on s.id = o.id
    where s.triggered_by is not null and o.id <> :survey)
  select s.id, s.plain_reminders ->> '$.trigger.after' as after,
    s.blinded, iif(s.id = :source and s.investigation_id = :investigation and (:role = 'owner' or not s.blinded), s.items, null) as items
  from source o cross join survey s on s.id = o.id`;

/**
 * Refuses a trigger that is no survey of the study, items that it does not have, and a circle of surveys that could remind
 * at a faster pace than five minutes. Nothing is read for other reminders. Resolves with whether another survey triggers them that is
 * blinded.
 * @throws request.invalid
 */
export async function checkTrigger(db: Database, survey: Triggered): Promise<{ byBlinded: boolean }> {
  const { role, id, investigation, reminders } = survey;
  const trigger = reminders?.trigger;
  if (!trigger) return { byBlinded: false };
  const values = { source: trigger.survey, survey: id, investigation, role };
  const sources = await query<Source>(db, sourcesOf, values, { items: JSON.parse });
  const isOwn = trigger.survey === id;
  const items = isOwn ? survey.items : sources.find((one) => one.id === trigger.survey)?.items;
  if (!items)
    throw invalid('/reminders/trigger/survey', 'Expected the identifier of a survey of this study.');
  const known = new Set(items.map(({ identifier }) => identifier));
  for (const item of Object.keys(trigger.where ?? {}))
    if (!known.has(item))
      throw invalid(`/reminders/trigger/where/${item}`, 'Expected an item of the survey that triggers.');
  const byBlinded = !isOwn && sources.some((one) => one.id === trigger.survey && one.blinded === 1);
  if (!isOwn && !sources.some((one) => one.id === id)) return { byBlinded };
  if (trigger.after < minutesInCircle)
    throw invalid(
      '/reminders/trigger/after',
      `Expected at least ${minutesInCircle} minutes, because the survey would trigger itself${isOwn ? '' : ' by way of others'}.`,
    );
  const fast = sources.find((one) => one.id !== id && (one.after ?? 0) < minutesInCircle);
  if (fast)
    throw invalid(
      '/reminders/trigger/survey',
      `Expected no circle with survey ${fast.id}, which follows another one after less than ${minutesInCircle} minutes.`,
    );
  return { byBlinded };
}
