import { type Spread, spreadOf } from '../support/statistics.ts';
import { contestants, type Difference, findDifferences } from './differences.ts';
import { type PlannerName, plannerNames, planners, type Task } from './planners.ts';
import { type Distribution, distributions, usersOf } from './users.ts';
import { allZones, someZones } from './zones.ts';

export interface Timing {
  distribution: Distribution;
  planner: PlannerName;
  ms: Spread;
  /** By the median. */
  usersPerSecond: number;
  /** Its time by that of Fieldbell as the service plans this distribution, pairwise: 2 is twice as slow. */
  toFieldbell: Spread;
  /** Of how many users it answers something else than Fieldbell, away from any change of the clocks. */
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

/** Some of all zones, so that each is known to Intl before the clock runs. */
const warmUp = 500;

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
  const sample = tasks.filter((_, n) => n % Math.ceil(tasks.length / warmUp) === 0);
  for (const planner of contestants) run(planner, sample);

  const times = new Map(plannerNames.map((planner) => [planner, [] as number[]]));
  const answers = new Map<PlannerName, (number | null)[]>();
  for (let repetition = 0; repetition < size.repetitions; repetition++)
    for (const planner of plannerNames) {
      const { ms, instants } = run(planner, tasks);
      times.get(planner)?.push(ms);
      answers.set(planner, instants);
    }
  const own = times.get('fieldbell') ?? [];
  const right = answers.get('fieldbell') ?? [];
  return [...times].map(([planner, ms]) => ({
    distribution,
    planner,
    ms: spreadOf(ms),
    usersPerSecond: (size.users * 1000) / spreadOf(ms).median,
    toFieldbell: spreadOf(ms.map((one, n) => one / (own[n] ?? Number.NaN))),
    otherAnswers: (answers.get(planner) ?? []).filter((instant, n) => instant !== right[n]).length,
  }));
}

function run(name: PlannerName, tasks: Task[]) {
  const planner = planners[name]();
  const began = performance.now();
  const instants = tasks.map(planner);
  return { ms: performance.now() - began, instants };
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
