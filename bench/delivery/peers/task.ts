import { CronExpressionParser } from 'cron-parser';
import { occurrenceIdentifier } from '../../../src/identifiers.ts';
import { localTime, timeZone } from '../local-time.ts';

/** One reminder of one person: the data of a job. */
export interface Task {
  user: string;
  survey: string;
  /** The local date: with person and survey it identifies the occurrence. */
  on: string;
  dueAt: number;
}

/** The identifier of an occurrence, 32 hexadecimal digits, derived from its key so that it exists once. */
export const taskName = ({ user, survey, on }: Task): string => occurrenceIdentifier(user, survey, 1, on);

/** Daily at the instant's time of day. */
export function dailyAt(instant: number): string {
  const { hour, minute, second } = localTime(instant);
  return `${second} ${minute} ${hour} * * *`;
}

type Next = Pick<Task, 'on' | 'dueAt'>;
const known = new Map<string, Next>();

/** The next occurrence, computed once for people of one zone who are due at one instant. */
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

function dateIn(zone: string, instant: number): string {
  if (zone !== timeZone) throw new Error(`expected ${timeZone}, not ${zone}`);
  return localTime(instant).on;
}
