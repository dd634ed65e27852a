import { deliveryClaims } from './delivery/claims.ts';
import type { DeliveryResult } from './delivery/results.ts';
import { isConstant, isWithinBudget } from './growth/budgets.ts';
import type { GrowthResult } from './growth/measure.ts';
import type { PlanningResult } from './planning/measure.ts';
import type { ServingResult } from './serving/measure.ts';
import { type Claim, isMet } from './support/claim.ts';
import { shown } from './support/statistics.ts';
import { alignedTable } from './support/table.ts';

interface Results {
  /** Times mean nothing then and are not compared with goals. */
  short: boolean;
  delivery: DeliveryResult[] | null;
  serving: ServingResult[] | null;
  planning: PlanningResult | null;
  growth: GrowthResult[] | null;
}

/** All results in one table. Ratios are median (least-most) over pairs of runs. */
export function table({ short, delivery, serving, planning, growth }: Results): string {
  const claims = [
    ...deliveryClaims(delivery ?? []),
    ...(serving ?? []).map(servingClaim),
    ...(planning ? planningClaims(planning) : []),
    ...(growth ?? []).map(growthClaim),
  ];
  const rows = claims.map((claim) => {
    const { what, fieldbell, beside, ratio, goal } = claim;
    const met = goal && short ? null : isMet(claim);
    return [
      what,
      fieldbell,
      beside,
      ratio ? shown(ratio) : '',
      !goal || short ? '' : 'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`,
      met === null ? '' : met ? 'yes' : 'NO',
    ];
  });
  const head = ['what', 'fieldbell', 'beside', 'ratio', 'goal', 'met'];
  return alignedTable(head, rows);
}

/** Faults that do not depend on the machine: costs that grow, exceeded budgets, wrong dates, systems that did not run. */
export function failuresOf({ delivery, planning, growth }: Results): string[] {
  return [
    ...(growth ?? []).flatMap(({ operation, costs }) => [
      ...(isConstant(costs) ? [] : [`the cost of ${operation} grows`]),
      ...(isWithinBudget(operation, costs) ? [] : [`${operation} exceeds its budget`]),
    ]),
    ...Object.entries(planning?.differences.counts.fieldbell ?? {}).map(
      ([fault, count]) => `${fault}: ${count} dates`,
    ),
    ...(delivery ?? [])
      .filter(({ runs }) => runs.length === 0)
      .filter(({ notes }) => !notes.some((note) => note.startsWith('left out')))
      .map(({ system, size, notes }) => `${system}, ${size} people: ${notes.join('; ')}`),
  ];
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
const growthClaim = ({ operation, costs }: GrowthResult): Claim => ({
  what: `cost of ${operation}`,
  fieldbell: costs.map((cost) => `${cost.roundTrips}/${cost.rowsRead}/${cost.rowsWritten}`).join(', '),
  beside: `at ${costs.map(({ size }) => size).join(', ')}${isConstant(costs) ? ', constant' : ', GROWS'}`,
  met: isConstant(costs) && isWithinBudget(operation, costs),
});
