import { type DeliveryResult, type DeliveryRun, resultOf } from './results.ts';
import { runOnce } from './run.ts';
import type { System } from './system.ts';

export interface DeliveryOptions {
  /** Numbers of people who are due at once. */
  sizes: readonly number[];
  /** Runs of each system at each size. */
  repetitions: number;
  systems: readonly System[];
  log: (line: string) => void;
}

/**
 * Measures each system at each size. Runs are interleaved, so that a machine that slows down slows all of them. A
 * failure is noted in the result, and the others go on.
 */
export async function measureDelivery(options: DeliveryOptions): Promise<DeliveryResult[]> {
  const { sizes, repetitions, systems, log } = options;
  const entries = sizes.flatMap((size) =>
    systems.map((system) => {
      const missing = system.missing();
      const notes = missing === null ? [] : [`left out: ${missing}`];
      return { system, size, runs: [] as DeliveryRun[], notes };
    }),
  );
  for (const size of sizes)
    for (let repetition = 1; repetition <= repetitions; repetition++)
      for (const entry of entries.filter((one) => one.size === size && isWorthTrying(one, entries))) {
        const name = `${entry.system.name}, ${size} people, run ${repetition} of ${repetitions}`;
        try {
          const run = await runOnce(entry.system, size);
          entry.runs.push(run);
          log(`${name}: ${(run.durationMs / 1000).toFixed(2)} s, ${run.pushesPerSecond.toFixed(0)} pushes/s`);
        } catch (error) {
          entry.notes.push(error instanceof Error ? error.message : String(error));
          log(`${name}: ${entry.notes.at(-1)}`);
        }
      }
  return entries.map(({ system, ...entry }) =>
    resultOf({ ...entry, system: system.name, what: system.what }),
  );
}

type Entry = Pick<DeliveryResult, 'runs' | 'notes' | 'size'> & { system: System };

/** Skips systems that are missing or have never worked at this size or a smaller one: an attempt may take minutes. */
function isWorthTrying(entry: Entry, entries: readonly Entry[]): boolean {
  const failed = entries.find(
    ({ system, size, notes, runs }) =>
      system === entry.system && size <= entry.size && notes.length > 0 && runs.length === 0,
  );
  if (failed && failed !== entry && entry.notes.length === 0)
    entry.notes.push(`not tried, after ${failed.size} people: ${failed.notes[0]}`);
  return failed === undefined;
}
