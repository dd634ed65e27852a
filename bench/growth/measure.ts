import type { Cost } from './budgets.ts';
import { loadDatabase, times } from './database.ts';
import { type OperationName, operationNames, operationsOn } from './operations.ts';
import { openService } from './service.ts';

export interface GrowthResult {
  operation: OperationName;
  costs: Cost[];
}

/** The cost of each operation by D1's own counters, with `size` members, responses and pending notifications. */
export async function measureGrowth({ sizes }: { sizes: readonly number[] }): Promise<GrowthResult[]> {
  const bySize: Record<OperationName, Cost>[] = [];
  for (const size of [...sizes].sort((a, b) => a - b)) bySize.push(await measureSize(size));
  return operationNames.map((operation) => ({
    operation,
    costs: bySize.map((measured) => measured[operation]),
  }));
}

async function measureSize(size: number): Promise<Record<OperationName, Cost>> {
  const { database, counts, dispose } = await loadDatabase(size);
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
