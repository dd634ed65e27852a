import type { api } from '../../api.ts';
import type { Grouped } from '../../groups.ts';
import { strings } from './dates-strings.ts';

/** The dates and the properties of somebody by name, and the first and the last day of their time in the study. */
export interface Course extends Grouped {
  dates?: Readonly<Record<string, string>> | undefined;
  participation?: { from?: string | undefined; until?: string | undefined } | undefined;
}

export interface FilledCourse {
  dates: Record<string, string>;
  participation: { from?: string; until?: string };
}

/** A change of somebody's dates and time, as the service takes it for one of many members. */
export type CourseChange = NonNullable<
  Parameters<(typeof api.investigation)[':id']['members']['dates']['$post']>[0]['json']
>['members'][number] & { properties?: Record<string, string | null> };

/** A course in words, one line for each property and date, and one for the time. */
export const linesOf = ({ properties = {}, dates = {}, participation }: Course): string[] => [
  ...Object.entries(properties).map(([name, value]) => strings.propertyOf(name, value)),
  ...Object.entries(dates).map(([name, date]) => strings.dateOf(name, date)),
  ...(participation ? [strings.timeText(participation)] : []),
];

const fieldOf = (name: string) => `date ${name}`;

/** The names of the fields of a form for a course. */
export const courseFields = { dateOf: fieldOf, from: 'course-first', until: 'course-last' } as const;

/** The course that a form has; empty fields are absent. */
export function courseIn(form: FormData, names: readonly string[]): FilledCourse {
  const text = (name: string) => String(form.get(name) ?? '');
  const [from, until] = [text(courseFields.from), text(courseFields.until)];
  const dates = names.map((name) => [name, text(fieldOf(name))] as const).filter(([, date]) => date !== '');
  return {
    dates: Object.fromEntries(dates),
    participation: { ...(from && { from }), ...(until && { until }) },
  };
}

/** The change from one course to another, or nothing if they are the same. */
export function changeOf(user: string, before: Course, after: FilledCourse, names: readonly string[]) {
  const moved = names
    .map((name) => [name, after.dates[name] ?? null] as const)
    .filter(([name, date]) => (before.dates?.[name] ?? null) !== date);
  const { from, until } = after.participation;
  const isTimeKept = from === before.participation?.from && until === before.participation?.until;
  if (moved.length === 0 && isTimeKept) return;
  return {
    user,
    ...(moved.length > 0 && { dates: Object.fromEntries(moved) }),
    ...(!isTimeKept && { participation: from || until ? after.participation : null }),
  };
}
