import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { chunkSize } from '../../src/jobs/replan.ts';
import { type Agenda, memoPlanner, nextOccurrence, occurrencesFrom } from '../../src/schedule/agenda.ts';
import { parseRule, type Rule } from '../../src/schedule/rule.ts';

/** What is planned: the next instant of a recurrence on one user's clock. */
export interface Task {
  /** Five fields, with the user's own time if they have one. */
  recurrence: string;
  /** The survey's recurrence as Fieldbell keeps it: parsed once, for all users. */
  rule: Rule;
  /** `HH:MM`; null: the rule's. */
  time: string | null;
  zone: string;
  /** Strictly after it, epoch ms. */
  from: number;
}

/** One run over many users: it may remember what it has computed in it. Epoch ms; null when there is none. */
export type Planner = (task: Task) => number | null;

/** Each contestant anew for each run, so that none remembers an earlier one. */
export const planners = {
  fieldbell: (): Planner => (task) => nextOccurrence(agendaOf(task))?.dueAt ?? null,
  'fieldbell, memo': (): Planner => memoised(Infinity),
  'fieldbell, memo of a chunk': (): Planner => memoised(chunkSize),
  'cron-parser': (): Planner => cronParser,
  'cron-parser, memo': (): Planner => remembering(cronParser),
  croner: (): Planner => croner,
  'croner, memo': (): Planner => remembering(croner),
} as const;
export type PlannerName = keyof typeof planners;
export const plannerNames = Object.keys(planners) as PlannerName[];

/** The next `count` instants of each, as its users would ask for them. */
export const walkers = {
  fieldbell: (task: Task, count: number) =>
    occurrencesFrom(agendaOf(task), task.from, count).map(({ dueAt }) => dueAt),
  'cron-parser': ({ recurrence, zone, from }: Task, count: number) => {
    const expression = CronExpressionParser.parse(recurrence, { tz: zone, currentDate: from });
    return Array.from({ length: count }, () => expression.next().getTime());
  },
  croner: ({ recurrence, zone, from }: Task, count: number) =>
    new Cron(recurrence, { timezone: zone }).nextRuns(count, new Date(from)).map((date) => date.getTime()),
} as const;

/** As `memoPlanner` lives in the service: for the users of one chunk of a replan. */
function memoised(users: number): Planner {
  let plan = memoPlanner();
  let planned = 0;
  return (task) => {
    if (planned++ % users === 0) plan = memoPlanner();
    return plan(agendaOf(task))?.dueAt ?? null;
  };
}

const cronParser: Planner = ({ recurrence, zone, from }) =>
  CronExpressionParser.parse(recurrence, { tz: zone, currentDate: from }).next().getTime();

const croner: Planner = ({ recurrence, zone, from }) =>
  new Cron(recurrence, { timezone: zone }).nextRun(new Date(from))?.getTime() ?? null;

/** As `memoPlanner` does: what depends on the same inputs is computed once. */
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

const agendaOf = ({ rule, time, zone, from }: Task): Agenda => ({
  rule,
  start,
  timeZone: zone,
  time,
  since: from,
  settledThrough: null,
  expiresAfter: 360,
  unlessAnswered: false,
  answers: [],
  member: true,
  archived: false,
  pausedUntil: null,
  reachable: true,
});
