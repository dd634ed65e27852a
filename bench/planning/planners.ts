import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { type Agenda, nextOccurrence, occurrencesFrom } from '../../src/schedule/occurrences.ts';
import { parseRule, type Rule } from '../../src/schedule/rule.ts';

/** What is planned: the next instant of a recurrence on one user's clock, said as each contestant takes it. */
export interface Task {
  /** Five fields, with the user's own time if they have one. */
  recurrence: string;
  zone: string;
  /** Strictly after it, epoch ms. */
  from: number;
  /** The same for Fieldbell, which parses a survey's recurrence once for all its users. */
  agenda: Agenda;
}

/** One run over many users: it may remember what it has computed in it. Epoch ms; null when there is none. */
export type Planner = (task: Task) => number | null;

/** Each contestant anew for each run, so that none remembers an earlier one. */
export const planners = {
  fieldbell:
    (): Planner =>
    ({ agenda }) =>
      nextOccurrence(agenda)?.dueAt ?? null,
  'cron-parser': (): Planner => cronParser,
  'cron-parser, memo': (): Planner => remembering(cronParser),
  croner: (): Planner => croner,
  'croner, memo': (): Planner => remembering(croner),
} as const;
export type PlannerName = keyof typeof planners;
export const plannerNames = Object.keys(planners) as PlannerName[];

/** The next `count` instants of each, as its users would ask for them. */
export const walkers = {
  fieldbell: ({ agenda, from }: Task, count: number) =>
    occurrencesFrom(agenda, from, count).map(({ dueAt }) => dueAt),
  'cron-parser': ({ recurrence, zone, from }: Task, count: number) => {
    const expression = CronExpressionParser.parse(recurrence, { tz: zone, currentDate: from });
    return Array.from({ length: count }, () => expression.next().getTime());
  },
  croner: ({ recurrence, zone, from }: Task, count: number) =>
    new Cron(recurrence, { timezone: zone }).nextRuns(count, new Date(from)).map((date) => date.getTime()),
} as const;

const cronParser: Planner = ({ recurrence, zone, from }) =>
  CronExpressionParser.parse(recurrence, { tz: zone, currentDate: from }).next().getTime();

const croner: Planner = ({ recurrence, zone, from }) =>
  new Cron(recurrence, { timezone: zone }).nextRun(new Date(from))?.getTime() ?? null;

/** What depends on the same inputs is computed once. */
function remembering(plan: Planner): Planner {
  const known = new Map<string, number | null>();
  return (task) => {
    const key = `${task.recurrence} ${task.zone} ${task.from}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const planned = plan(task);
    known.set(key, planned);
    return planned;
  };
}

/** @throws RangeError when the reminders are refused */
export function ruleOf(recurrence: string): Rule {
  const parsed = parseRule({ type: 'rolling', recurrence });
  if ('issues' in parsed) throw new RangeError(parsed.issues.map(({ detail }) => detail).join('; '));
  return parsed.rule;
}

/** A study that began long before: the peers know of no start. */
const start = '2020-01-01';

/** @param own `HH:MM`; null: the survey's time */
export const agendaOf = (rule: Rule, own: string | null, timeZone: string, since: number): Agenda => ({
  rule,
  start,
  timeZone,
  time: own,
  since,
  settledThrough: null,
  expiresAfter: 360,
  unlessAnswered: false,
  answers: [],
  member: true,
  archived: false,
  pausedUntil: null,
  reachable: true,
});
