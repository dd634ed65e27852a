import type { Counts } from '../../dev/counted-d1.ts';
import type { OperationName } from './operations.ts';

/** The most that an operation may cost, whatever the size; what is left out is not promised. */
export const promises: Partial<Record<OperationName, Partial<Counts>>> = {
  'deliver one reminder': { roundTrips: 2, rowsRead: 15, rowsWritten: 3 },
  'a page of 100 responses': { roundTrips: 1 },
  'a sweep with nothing due': { roundTrips: 1, rowsRead: 5 },
  'lock 100 responses': { roundTrips: 2 },
  'replan a chunk of 100': { roundTrips: 2 },
};

/** What one operation cost at one size. */
export interface Cost extends Counts {
  size: number;
  /** Of how many responses or users it was: fewer than asked for where there are fewer. */
  items: number;
}

const counters = ['roundTrips', 'rowsRead', 'rowsWritten'] as const;

/**
 * Whether the costs do not grow with the size: of as many items they are the same, and of more items no dearer for
 * each. One row more or less is the one that tells whether more remain.
 */
export function isConstant(costs: readonly Cost[]): boolean {
  const last = costs.at(-1);
  if (!last) return true;
  return costs.every((cost) => {
    if (cost.roundTrips !== last.roundTrips) return false;
    if (cost.items === last.items)
      return counters.every((counter) => Math.abs(cost[counter] - last[counter]) <= 1);
    return counters.every((counter) => last[counter] / last.items <= (cost[counter] + 1) / cost.items);
  });
}

export const isKept = (name: OperationName, costs: readonly Cost[]): boolean =>
  costs.every((cost) =>
    counters.every((counter) => cost[counter] <= (promises[name]?.[counter] ?? Infinity)),
  );
