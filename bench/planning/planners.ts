import { CronExpressionParser } from 'cron-parser';
import { nextOccurrence, occurrences, type ReminderState } from '../../src/schedule/occurrences.ts';

/** Null without the bench's own packages, as in a short run. */
const croner = await import('croner').catch(() => null);

/** Asks for the next instant of a recurrence on a user's clock, in the form that each planner takes. */
export interface Task {
  /** Five fields, with the user's own time if they have one. */
  recurrence: string;
  zone: string;
  /** Strictly after it, epoch ms. */
  from: number;
  /** The same for Fieldbell, which parses a survey's recurrence once for all its users. */
  reminderState: ReminderState;
}

/** Plans for many users in one run, in which it may memoize. Epoch ms; null when there is no next instant. */
export type Planner = (task: Task) => number | null;

/** New planners for each run, so that no memo outlives it. */
export const planners = {
  fieldbell:
    (): Planner =>
    ({ reminderState }) =>
      nextOccurrence(reminderState)?.dueAt ?? null,
  'cron-parser': (): Planner => planWithCronParser,
  'cron-parser, memo': (): Planner => memoized(planWithCronParser),
  croner: (): Planner => planWithCroner,
  'croner, memo': (): Planner => memoized(planWithCroner),
} as const;
export type PlannerName = keyof typeof planners;
export const plannerNames = installed(Object.keys(planners) as PlannerName[]);

/** The next `count` instants, as a user of each library would ask for them. */
export const series = {
  fieldbell: ({ reminderState, from }: Task, count: number) =>
    Array.from(occurrences(reminderState, from).take(count), ({ dueAt }) => dueAt),
  'cron-parser': ({ recurrence, zone, from }: Task, count: number) => {
    const expression = CronExpressionParser.parse(recurrence, { tz: zone, currentDate: from });
    return Array.from({ length: count }, () => expression.next().getTime());
  },
  croner: ({ recurrence, zone, from }: Task, count: number) =>
    cronOf(recurrence, { timezone: zone })
      .nextRuns(count, new Date(from))
      .map((date) => date.getTime()),
} as const;

export type Contestant = keyof typeof series;
export const contestants = installed(Object.keys(series) as Contestant[]);

function installed<T extends string>(names: T[]): T[] {
  return croner ? names : names.filter((name) => !name.startsWith('croner'));
}

const planWithCronParser: Planner = ({ recurrence, zone, from }) =>
  CronExpressionParser.parse(recurrence, { tz: zone, currentDate: from }).next().getTime();

const planWithCroner: Planner = ({ recurrence, zone, from }) =>
  cronOf(recurrence, { timezone: zone }).nextRun(new Date(from))?.getTime() ?? null;

/** Computes once for equal inputs. */
function memoized(plan: Planner): Planner {
  const memo = new Map<string, number | null>();
  return (task) => {
    const key = `${task.recurrence} ${task.zone} ${task.from}`;
    const earlier = memo.get(key);
    if (earlier !== undefined) return earlier;
    const planned = plan(task);
    memo.set(key, planned);
    return planned;
  };
}

function cronOf(...args: [recurrence: string, options: { timezone: string }]) {
  if (!croner) throw new Error('croner is not installed');
  return new croner.Cron(...args);
}
