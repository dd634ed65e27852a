import { type Spread, spreadOf } from '../support/statistics.ts';
import { type Difference, findDifferences } from './differences.ts';
import { contestants, type PlannerName, plannerNames, planners, type Task } from './planners.ts';
import { type Distribution, distributions, sampleOf, usersOf } from './users.ts';
import { allZones, someZones } from './zones.ts';

export interface Timing {
  distribution: Distribution;
  planner: PlannerName;
  /** The number of users planned, an even sample. */
  planned: number;
  /** For all users; extrapolated from the sample. */
  ms: Spread;
  /** By the median. */
  usersPerSecond: number;
  /** Its time divided by Fieldbell's, of each pair: 2 is twice as slow. */
  toFieldbell: Spread;
  /** Planned users whose answers differ from Fieldbell's, away from clock changes. */
  otherAnswers: number;
}

export interface PlanningResult {
  users: number;
  zones: number;
  timings: Timing[];
  differences: {
    zones: number;
    cases: number;
    /** By contestant and fault. */
    counts: Record<string, Record<string, number>>;
    examples: Difference[];
  };
}

/** Below it, differences are searched in a few zones only, since all take a while. */
const fullUsers = 10_000;

/** Users that a slow peer plans instead of all: without hits of a memo each costs the same. */
const sampleSize = 10_000;
/** Users over all zones, to fill the caches of Intl and of the planners. */
const warmUp = 500;
/** A shorter run is repeated and averaged, or it would measure compilation. */
const minMs = (users: number) => (users < fullUsers ? 50 : 500);

/** Fieldbell, cron-parser and croner plan the same users in turn. */
export function measurePlanning(size: { users: number; repetitions: number }): PlanningResult {
  return {
    users: size.users,
    zones: allZones().length,
    timings: distributions.flatMap((distribution) => timingsOf(distribution, size)),
    differences: summaryOf(size.users < fullUsers ? someZones : allZones()),
  };
}

function timingsOf(distribution: Distribution, size: { users: number; repetitions: number }): Timing[] {
  const tasks = usersOf(distribution, size.users);
  const duration = minMs(size.users);
  const sample = sampleOf(tasks, sampleSize);
  const tasksOf = (planner: PlannerName) =>
    planner === 'fieldbell' || (distribution === 'survey' && planner.endsWith('memo')) ? tasks : sample;
  for (const planner of plannerNames) run(planner, sampleOf(tasks, warmUp), duration);

  const times = new Map(plannerNames.map((planner) => [planner, [] as number[]]));
  const answers = new Map<PlannerName, Map<Task, number>>();
  for (let repetition = 0; repetition < size.repetitions; repetition++)
    for (const planner of plannerNames) {
      const asked = tasksOf(planner);
      const { ms, instants } = run(planner, asked, duration);
      times.get(planner)?.push((ms * tasks.length) / asked.length);
      if (repetition === 0) answers.set(planner, new Map(asked.map((task, n) => [task, instants[n] ?? 0])));
    }
  const own = times.get('fieldbell') ?? [];
  const right = answers.get('fieldbell');
  return [...times].map(([planner, ms]) => ({
    distribution,
    planner,
    planned: tasksOf(planner).length,
    ms: spreadOf(ms),
    usersPerSecond: (size.users * 1000) / spreadOf(ms).median,
    toFieldbell: spreadOf(ms.map((one, n) => one / (own[n] ?? Number.NaN))),
    otherAnswers: [...(answers.get(planner) ?? [])].filter(([task, at]) => at !== right?.get(task)).length,
  }));
}

function run(name: PlannerName, tasks: Task[], duration: number) {
  const instants = new Float64Array(tasks.length);
  const began = performance.now();
  for (let runs = 1; ; runs++) {
    const planner = planners[name]();
    for (const [n, task] of tasks.entries()) instants[n] = planner(task) ?? 0;
    const ms = performance.now() - began;
    if (ms >= duration) return { ms: ms / runs, instants };
  }
}

function summaryOf(zones: string[]): PlanningResult['differences'] {
  const { cases, differences } = findDifferences(zones);
  const counts: Record<string, Record<string, number>> = {};
  for (const contestant of contestants) counts[contestant] = {};
  const examples = new Map<string, Difference>();
  for (const difference of differences) {
    const { contestant, fault } = difference;
    const of = counts[contestant] ?? {};
    of[fault] = (of[fault] ?? 0) + 1;
    const hasZone = [...examples.values()].some(({ zone }) => zone === difference.zone);
    const kind = `${contestant}, ${fault}`;
    if (isNearby(difference) && !examples.has(kind) && !hasZone) examples.set(kind, difference);
  }
  return { zones: zones.length, cases, counts, examples: [...examples.values()] };
}

/** Close enough before the fault to check by hand. */
const isNearby = ({ from, expected }: Difference) => Date.parse(expected) - Date.parse(from) < 48 * 3600_000;
