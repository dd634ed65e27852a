import { describeReminders } from '../reminders/describe.ts';
import type { Reminders } from '../reminders/reminder-draft.ts';
import { strings as reminderStrings } from '../reminders/reminder-strings.ts';
import { strings } from './activity-strings.ts';

export interface FieldChange {
  name: string;
  from: string;
  to: string;
}

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The differences between two values of an entry: field by field if both are objects, else as one. */
export function changedFields(before: unknown, after: unknown): FieldChange[] {
  if (before === undefined && after === undefined) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ name: '', from: textOf(before), to: textOf(after) }];
  const [from, to] = [flatten(before), flatten(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((name) => ({
      name,
      from: from.get(name) ?? strings.nothing,
      to: to.get(name) ?? strings.nothing,
    }))
    .filter((change) => change.from !== change.to);
}

/** Each value under the names that lead to it, without the first name if there are more. */
function flatten(fields: Fields, above: readonly string[] = []): Map<string, string> {
  return new Map(
    Object.entries(readable(fields)).flatMap(([name, value]): [string, string][] => {
      const names = [...above, strings.fields[name] ?? name];
      if (isRecord(value)) return [...flatten(value, names)];
      return [[(names.length > 1 ? names.slice(1) : names).join(', '), textOf(value)]];
    }),
  );
}

/** Days and times of reminders as a sentence, since few people read crontab expressions; dates by their names. */
function readable(fields: Fields): Fields {
  if (!isReminders(fields)) return withNamedDates(fields);
  const rest = Object.entries(fields).filter(([name]) => !described.has(name));
  const shown = rest.map(([name, value]) => [
    name,
    times.has(name) ? reminderStrings.minutes(Number(value)) : value,
  ]);
  return { when: describeReminders(fields), ...Object.fromEntries(shown) };
}

/** Minutes, which people read in days and hours. */
const times = new Set(['expiresAfter', 'answerWithin']);

/** A member's dates and time, each under a name that says what it is; the names of a study's dates stay. */
function withNamedDates({ dates, participation, ...rest }: Fields): Fields {
  const named = (values: unknown, name: string, label: (name: string) => string) =>
    isRecord(values)
      ? Object.fromEntries(Object.entries(values).map(([of, value]) => [label(of), value]))
      : values !== undefined && { [name]: values };
  return {
    ...rest,
    ...named(dates, 'dates', strings.dateNamed),
    ...named(participation, 'participation', (bound) => strings.takesPart[bound] ?? bound),
  };
}

const described = new Set([
  ...['type', 'recurrence', 'from', 'days', 'pick', 'trigger'],
  ...['windows', 'ends', 'delay', 'followUps'],
]);

const isReminders = (fields: Fields): fields is Fields & Reminders =>
  fields.type === 'triggered'
    ? fields.trigger !== undefined
    : typeof fields.recurrence === 'string' && (fields.type === 'rolling' || fields.type === 'fixed');

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return strings.nothing;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (Array.isArray(value) && value.every((text) => typeof text === 'string'))
    return value.join(', ') || strings.nothing;
  return JSON.stringify(value, null, 1).replaceAll(/[{}"]/g, '').trim();
}
