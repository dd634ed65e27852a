import { loadDatabase, times } from './database.ts';
import { type OperationName, operationNames, operationsOn } from './operations.ts';
import { type Cost, isConstant, isKept, promises } from './promises.ts';
import { config, openService } from './service.ts';

export interface GrowthResult {
  operation: OperationName;
  costs: Cost[];
  /** Whether the cost stays the same from the smallest size to the largest. */
  constant: boolean;
  promised: (typeof promises)[OperationName] | null;
  /** Whether each size keeps what is promised. */
  kept: boolean;
}

/** What each operation costs at each number of members, responses and pending notifications, by D1's own counters. */
export async function measureGrowth({ sizes }: { sizes: readonly number[] }): Promise<GrowthResult[]> {
  const bySize: Record<OperationName, Cost>[] = [];
  for (const size of [...sizes].sort((a, b) => a - b)) bySize.push(await measureSize(size));
  return operationNames.map((operation) => {
    const costs = bySize.map((measured) => measured[operation]);
    const promised = promises[operation] ?? null;
    return { operation, costs, constant: isConstant(costs), promised, kept: isKept(operation, costs) };
  });
}

async function measureSize(size: number): Promise<Record<OperationName, Cost>> {
  const { database, counts, dispose } = await loadDatabase(size, config.auth.issuer);
  try {
    const operations = await operationsOn(openService(database, times.now), size);
    const costs: Partial<Record<OperationName, Cost>> = {};
    for (const name of operationNames) {
      const before = { ...counts };
      const items = await operations[name]();
      costs[name] = {
        size,
        items,
        roundTrips: counts.roundTrips - before.roundTrips,
        rowsRead: counts.rowsRead - before.rowsRead,
        rowsWritten: counts.rowsWritten - before.rowsWritten,
      };
    }
    return costs as Record<OperationName, Cost>;
  } finally {
    await dispose();
  }
}
