import { type Spread, spreadOf } from '../support/statistics.ts';
import { contestants, type Difference, findDifferences } from './differences.ts';
import { type PlannerName, plannerNames, planners, type Task } from './planners.ts';
import { type Distribution, distributions, sampleOf, usersOf } from './users.ts';
import { allZones, someZones } from './zones.ts';

export interface Timing {
  distribution: Distribution;
  planner: PlannerName;
  /** How many of the users were planned, chosen evenly. */
  planned: number;
  /** For all users: in proportion, where only some were planned. */
  ms: Spread;
  /** By the median. */
  usersPerSecond: number;
  /** Its time by that of Fieldbell, pairwise: 2 is twice as slow. */
  toFieldbell: Spread;
  /** For how many of those planned it answers something else than Fieldbell, away from any change of the clocks. */
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

/** Fewer users than this are for a look: then differences are searched in some zones only, since all take a while. */
const fullUsers = 10_000;

/** Users whom a slow peer plans in place of all: without a memory, or where nothing repeats, each costs the same. */
const sampled = 10_000;
/** Some in all zones, so that each is known to Intl, and to the caches of all, before the clock runs. */
const warmUp = 500;
/** A quick run is repeated for so long, and its time is the mean: less says how soon the code is compiled. */
const leastMs = (users: number) => (users < fullUsers ? 50 : 500);

/** Fieldbell, cron-parser and croner plan the same users; repetitions take turns. */
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
  const least = leastMs(size.users);
  const sample = sampleOf(tasks, sampled);
  const tasksOf = (planner: PlannerName) =>
    planner === 'fieldbell' || (distribution === 'survey' && planner.endsWith('memo')) ? tasks : sample;
  for (const planner of plannerNames) run(planner, sampleOf(tasks, warmUp), least);

  const times = new Map(plannerNames.map((planner) => [planner, [] as number[]]));
  const answers = new Map<PlannerName, Map<Task, number>>();
  for (let repetition = 0; repetition < size.repetitions; repetition++)
    for (const planner of plannerNames) {
      const asked = tasksOf(planner);
      const { ms, instants } = run(planner, asked, least);
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

function run(name: PlannerName, tasks: Task[], least: number) {
  const instants = new Float64Array(tasks.length);
  const began = performance.now();
  for (let runs = 1; ; runs++) {
    const planner = planners[name]();
    for (const [n, task] of tasks.entries()) instants[n] = planner(task) ?? 0;
    const ms = performance.now() - began;
    if (ms >= least) return { ms: ms / runs, instants };
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
    const seen = [...examples.values()].some(({ zone }) => zone === difference.zone);
    const kind = `${contestant}, ${fault}`;
    if (isNearby(difference) && !examples.has(kind) && !seen) examples.set(kind, difference);
  }
  return { zones: zones.length, cases, counts, examples: [...examples.values()] };
}

/** Examples begin soon before what goes wrong, so that the answer can be looked up by hand. */
const isNearby = ({ from, expected }: Difference) => Date.parse(expected) - Date.parse(from) < 48 * 3600_000;
