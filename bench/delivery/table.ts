import { alignedTable } from '../support/table.ts';
import type { DeliveryResult, Figure } from './results.ts';

const columns: [title: string, figure: Figure, shown: (value: number) => string][] = [
  ['seconds', 'durationMs', (ms) => (ms / 1000).toFixed(2)],
  ['pushes/s', 'pushesPerSecond', (n) => n.toFixed(0)],
  ['p50 late ms', 'p50Ms', (ms) => ms.toFixed(0)],
  ['p99 late ms', 'p99Ms', (ms) => ms.toFixed(0)],
  ['CPU s', 'cpuSeconds', (seconds) => seconds.toFixed(2)],
  ['SNS CPU s', 'snsCpuSeconds', (seconds) => seconds.toFixed(2)],
  ['peak MB', 'peakMemoryMb', (mb) => mb.toFixed(0)],
  ['repeated', 'repeatedPushes', (n) => n.toFixed(0)],
];

/** Medians, the range of times, and a line for each run that failed. */
export function deliveryTable(results: readonly DeliveryResult[]): string {
  const head = ['people', 'system', 'runs', ...columns.map(([title]) => title), 'fastest-slowest s'];
  const rows = results
    .filter(({ runs }) => runs.length > 0)
    .map(({ size, system, runs, spread }) => {
      const { min, max } = spread.durationMs ?? { min: 0, max: 0 };
      return [
        String(size),
        system,
        String(runs.length),
        ...columns.map(([, figure, shown]) => (spread[figure] ? shown(spread[figure].median) : '-')),
        `${(min / 1000).toFixed(2)}-${(max / 1000).toFixed(2)}`,
      ];
    });
  const notes = results.flatMap(({ size, system, notes }) =>
    notes.map((note) => `${system}, ${size} people: ${note}`),
  );
  return [alignedTable(head, rows), ...notes].join('\n');
}
