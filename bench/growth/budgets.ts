import type { Counts } from '../../tools/database/counted-d1.ts';
import type { OperationName } from './operations.ts';

/** The most that an operation may cost at any size. */
export const budgets: Record<OperationName, Counts> = {
  'a page of 100 responses': { roundTrips: 1, rowsRead: 230, rowsWritten: 0 },
  'a page of 100 changes': { roundTrips: 1, rowsRead: 110, rowsWritten: 0 },
  'one response': { roundTrips: 1, rowsRead: 5, rowsWritten: 0 },
  'list the upcoming of a user': { roundTrips: 1, rowsRead: 15, rowsWritten: 0 },
  'compliance of a day, a page of 100': { roundTrips: 1, rowsRead: 3_000, rowsWritten: 0 },
  'compliance of 366 days, a page of 100': { roundTrips: 1, rowsRead: 40_000, rowsWritten: 0 },
  'daily compliance of a day': { roundTrips: 1, rowsRead: 10, rowsWritten: 0 },
  'daily compliance of 366 days': { roundTrips: 1, rowsRead: 750, rowsWritten: 0 },
  'a page of 100 occurrences': { roundTrips: 1, rowsRead: 230, rowsWritten: 0 },
  'lock 100 responses': { roundTrips: 2, rowsRead: 1_110, rowsWritten: 610 },
  'register a phone': { roundTrips: 5, rowsRead: 100, rowsWritten: 13 },
  'a sweep with nothing due': { roundTrips: 1, rowsRead: 8, rowsWritten: 1 },
  'deliver one reminder': { roundTrips: 2, rowsRead: 60, rowsWritten: 8 },
  'PATCH the reminders': { roundTrips: 2, rowsRead: 15, rowsWritten: 10 },
  'plan 50 woken users': { roundTrips: 4, rowsRead: 4_000, rowsWritten: 460 },
};

/** The cost of an operation at one size. */
export interface Cost extends Counts {
  size: number;
  /** The responses or users it handled: at most `size`. */
  items: number;
}

const counters = ['roundTrips', 'rowsRead', 'rowsWritten'] as const;

/**
 * Whether costs do not grow with the size: they are equal for equal items, and no higher per item for more items. They
 * may differ by the item behind a page, which tells whether a list goes on.
 */
export function isConstant(costs: readonly Cost[]): boolean {
  const last = costs.at(-1);
  if (!last) return true;
  return costs.every((cost) => {
    if (cost.roundTrips !== last.roundTrips) return false;
    if (cost.items === last.items) {
      const behind = (counter: (typeof counters)[number]) =>
        last.items > 1 ? 3 + last[counter] / last.items : 2;
      return counters.every((counter) => Math.abs(cost[counter] - last[counter]) <= behind(counter));
    }
    return counters.every((counter) => last[counter] / last.items <= (cost[counter] + 1) / cost.items);
  });
}

export const isWithinBudget = (name: OperationName, costs: readonly Cost[]): boolean =>
  costs.every((cost) => counters.every((counter) => cost[counter] <= budgets[name][counter]));
