import { CronExpressionParser } from 'cron-parser';
import { occurrenceIdentifier } from '../../../src/identifiers.ts';
import { localTime, timeZone } from '../people.ts';

/** One reminder of one person: what a job carries, and no more. */
export interface Task {
  user: string;
  survey: string;
  /** The local date. With the person and the survey it names the occurrence. */
  on: string;
  dueAt: number;
}

/** The name of an occurrence, 32 hexadecimal digits: the same whoever works it out, so that it exists once. */
export const taskName = ({ user, survey, on }: Task): string => occurrenceIdentifier(user, survey, 1, on);

/** Each day at the time of day of this instant. */
export function dailyAt(instant: number): string {
  const { hour, minute, second } = localTime(instant);
  return `${second} ${minute} ${hour} * * *`;
}

type Next = Pick<Task, 'on' | 'dueAt'>;
const known = new Map<string, Next>();

/** The next occurrence. People of one zone who are due at one instant share it, so it is worked out once for them. */
export function successor(task: Task, recurrence: string, zone: string): Task {
  const key = `${recurrence} ${zone} ${task.dueAt}`;
  let next = known.get(key);
  if (!next) {
    const options = { tz: zone, currentDate: new Date(task.dueAt) };
    const dueAt = CronExpressionParser.parse(recurrence, options).next().getTime();
    next = { on: dateIn(zone, dueAt), dueAt };
    if (known.size > 1_000) known.clear();
    known.set(key, next);
  }
  return { user: task.user, survey: task.survey, ...next };
}

/** The only zone here is everybody's. */
function dateIn(zone: string, instant: number): string {
  if (zone !== timeZone) throw new Error(`expected ${timeZone}, not ${zone}`);
  return localTime(instant).on;
}
