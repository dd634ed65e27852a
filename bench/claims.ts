import type { DeliveryResult } from './delivery/results.ts';
import type { GrowthResult } from './growth/measure.ts';
import type { PlanningResult } from './planning/measure.ts';
import type { ServingResult } from './serving/measure.ts';
import { type Spread, shown, spreadOf } from './support/statistics.ts';
import { alignedTable } from './support/table.ts';

interface Results {
  /** Times mean nothing then and are not compared with goals. */
  short: boolean;
  delivery: DeliveryResult[] | null;
  serving: ServingResult[] | null;
  planning: PlanningResult | null;
  growth: GrowthResult[] | null;
}

/** A line of the table: Fieldbell, what it is compared with, the ratio, and the goal. */
interface Claim {
  what: string;
  fieldbell: string;
  beside: string;
  ratio?: Spread;
  /** What the median of the ratio is to reach, or not to exceed. */
  goal?: { least: number } | { most: number };
  /** Set where the median does not decide; null: too little was measured. */
  met?: boolean | null;
}

/** All results in one table. Ratios are median (least-most) over pairs of runs. */
export function table({ short, delivery, serving, planning, growth }: Results): string {
  const claims = [
    ...deliveryClaims(delivery ?? []),
    ...(serving ?? []).map(servingClaim),
    ...(planning ? planningClaims(planning) : []),
    ...(growth ?? []).map(growthClaim),
  ];
  const rows = claims.map(({ what, fieldbell, beside, ratio, goal, met }) => [
    what,
    fieldbell,
    beside,
    ratio ? shown(ratio) : '',
    goal === undefined || short ? '' : 'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`,
    verdict(short && goal ? null : met === undefined ? isReached(ratio, goal) : met),
  ]);
  const head = ['what', 'fieldbell', 'beside', 'ratio', 'goal', 'met'];
  return alignedTable(head, rows);
}

/** Faults that do not depend on the machine: costs that grow, exceeded budgets, wrong dates, systems that did not run. */
export function failuresOf({ delivery, planning, growth }: Results): string[] {
  return [
    ...(growth ?? []).flatMap(({ operation, constant, withinBudget }) => [
      ...(constant ? [] : [`the cost of ${operation} grows`]),
      ...(withinBudget ? [] : [`${operation} exceeds its budget`]),
    ]),
    ...Object.entries(planning?.differences.counts.fieldbell ?? {}).map(
      ([fault, count]) => `${fault}: ${count} dates`,
    ),
    ...(delivery ?? [])
      // How many objects the local workerd carries is a finding, not a fault.
      .filter(({ system, runs }) => system !== inLocalRuntime && runs.length === 0)
      .filter(({ notes }) => !notes.some((note) => note.startsWith('left out')))
      .map(({ system, size, notes }) => `${system}, ${size} people: ${notes.join('; ')}`),
  ];
}

const verdict = (met: boolean | null) => (met === null ? '' : met ? 'yes' : 'NO');

function isReached(ratio: Claim['ratio'], goal: Claim['goal']): boolean | null {
  if (!ratio || !goal) return null;
  return 'least' in goal ? ratio.median >= goal.least : ratio.median <= goal.most;
}

const peers = ['bullmq', 'pg-boss'];
/** The local runtime may crash, and no goal is set for it. */
const inLocalRuntime = 'workerd';
/** Of Node and Deno, by the number of people: times the fastest peer in each run, times the floor's processor time. */
const rateGoals: Record<number, number> = { 1000: 1.5, 10000: 1.5 };
const cpuGoals: Record<number, number> = { 10000: 1.5 };
const leastRuns = 5;

function deliveryClaims(results: DeliveryResult[]): Claim[] {
  return results
    .filter(({ system }) => !peers.includes(system) && system !== 'floor')
    .flatMap((own) => {
      if (own.runs.length === 0)
        return [{ what: `deliver to ${own.size}: ${own.system}`, fieldbell: own.notes[0] ?? '', beside: '' }];
      const beside = results.filter(({ size, runs }) => size === own.size && runs.length > 0);
      const floor = beside.find(({ system }) => system === 'floor');
      return [
        rateClaim(
          own,
          beside.filter(({ system }) => peers.includes(system)),
        ),
        ...(floor ? [cpuClaim(own, floor)] : []),
      ];
    });
}

/** Beside the fastest peer of each run. */
function rateClaim(own: DeliveryResult, measured: DeliveryResult[]): Claim {
  const claim = { what: `deliver to ${own.size}: ${own.system}`, fieldbell: figuresOf(own) };
  const rateOf = ({ spread }: DeliveryResult) => spread.pushesPerSecond?.median ?? 0;
  const fastest = measured.toSorted((a, b) => rateOf(b) - rateOf(a))[0];
  if (!fastest) return { ...claim, beside: 'no peer is installed' };
  const ratio = spreadOf(
    own.runs.map(
      (run, n) =>
        run.pushesPerSecond / Math.max(...measured.map(({ runs }) => runs[n]?.pushesPerSecond ?? Number.NaN)),
    ),
  );
  const least = own.system === inLocalRuntime ? undefined : rateGoals[own.size];
  const isShort = ratio.min >= (least ?? 0) && own.runs.length < leastRuns;
  return {
    ...claim,
    beside: `${fastest.system}: ${figuresOf(fastest)}`,
    ratio,
    ...(least && { goal: { least }, met: isShort ? null : ratio.min >= least && own.notes.length === 0 }),
  };
}

/** Beside the least that a delivery takes. */
function cpuClaim(own: DeliveryResult, floor: DeliveryResult): Claim {
  const perDelivery = ({ size, spread }: DeliveryResult) =>
    spread.cpuSeconds ? `${((spread.cpuSeconds.median * 1000) / size).toFixed(2)} ms` : '-';
  const ratios = own.runs.map(
    (run, n) => (run.cpuSeconds ?? Number.NaN) / (floor.runs[n]?.cpuSeconds ?? Number.NaN),
  );
  const most = own.system === inLocalRuntime ? undefined : cpuGoals[own.size];
  return {
    what: `CPU of a delivery to ${own.size}: ${own.system}`,
    fieldbell: perDelivery(own),
    beside: `floor: ${perDelivery(floor)}`,
    ratio: spreadOf(ratios),
    ...(most && { goal: { most } }),
  };
}

function figuresOf({ spread }: DeliveryResult): string {
  const median = (figure: keyof DeliveryResult['spread'], digits = 0) =>
    spread[figure]?.median.toFixed(digits) ?? '-';
  const late = ([spread.p50Ms, spread.p99Ms] as const).map((one) => ((one?.median ?? 0) / 1000).toFixed(1));
  return `${median('pushesPerSecond')}/s, late ${late.join(' and ')} s, CPU ${median('cpuSeconds', 1)} s, ${median('peakMemoryMb')} MB`;
}

const servingClaim = ({ runtime, operation, floor, fieldbell, ratio }: ServingResult): Claim => ({
  what: `serve ${operation}: ${runtime}`,
  fieldbell: loadOf(fieldbell),
  beside: `floor: ${loadOf(floor)}`,
  ratio: ratio.requestsPerSecond,
  goal: { least: 0.8 },
});

const loadOf = ({ requestsPerSecond, p99Ms }: ServingResult['floor']) =>
  `${requestsPerSecond.median.toFixed(requestsPerSecond.median < 10 ? 1 : 0)}/s, p99 ${p99Ms.median.toFixed(0)} ms`;

/** Beside the fastest peer, with or without a memo. */
function planningClaims({ timings, differences }: PlanningResult): Claim[] {
  const speeds = [...new Set(timings.map(({ distribution }) => distribution))].flatMap(
    (distribution): Claim[] => {
      const all = timings.filter((one) => one.distribution === distribution);
      const own = all.find(({ planner }) => planner === 'fieldbell');
      const fastest = all
        .filter(({ planner }) => planner !== 'fieldbell')
        .toSorted((a, b) => b.usersPerSecond - a.usersPerSecond)[0];
      if (!own || !fastest) return [];
      const rate = ({ usersPerSecond }: typeof own) => `${Math.round(usersPerSecond / 1000)} thousand/s`;
      return [
        {
          what: `plan, ${distribution} times`,
          fieldbell: rate(own),
          beside: `${fastest.planner}: ${rate(fastest)}`,
          ratio: fastest.toFieldbell,
          goal: { least: 10 },
        },
      ];
    },
  );
  const wrong = ([name, faults]: [string, Record<string, number>]) =>
    `${name} ${Object.values(faults).reduce((sum, count) => sum + count, 0)}`;
  const counts = Object.entries(differences.counts);
  const own = counts.filter(([name]) => name === 'fieldbell');
  return [
    ...speeds,
    {
      what: `wrong of ${differences.cases} at clock changes`,
      fieldbell: own.map(wrong).join(),
      beside: counts
        .filter(([name]) => name !== 'fieldbell')
        .map(wrong)
        .join(', '),
      met: own.every(([, faults]) => Object.values(faults).every((count) => count === 0)),
    },
    ...differences.examples.map(
      ({ contestant, fault, zone, wallTime, on, expected, answered }): Claim => ({
        what: `  ${zone} ${wallTime}`,
        fieldbell: `${on}: ${expected}`,
        beside: `${contestant}: ${answered} (${fault})`,
      }),
    ),
  ];
}

/** Round trips / rows read / rows written at each size. */
const growthClaim = ({ operation, costs, constant, withinBudget }: GrowthResult): Claim => ({
  what: `cost of ${operation}`,
  fieldbell: costs.map((cost) => `${cost.roundTrips}/${cost.rowsRead}/${cost.rowsWritten}`).join(', '),
  beside: `at ${costs.map(({ size }) => size).join(', ')}${constant ? ', constant' : ', GROWS'}`,
  met: constant && withinBudget,
});
