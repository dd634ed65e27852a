import { type Spread, spreadOf } from '../support/statistics.ts';

/** One run. Times in ms, processor time in seconds, memory in MB; null without /proc. */
export interface DeliveryRun {
  /** From the due instant until every push was accepted, recorded as sent, and its successor planned. */
  durationMs: number;
  pushesPerSecond: number;
  /** How late the SNS accepted pushes. */
  p50Ms: number;
  p99Ms: number;
  /** Of the system and its stores, from the due instant to the end; the SNS is measured apart. */
  cpuSeconds: number | null;
  snsCpuSeconds: number | null;
  peakMemoryMb: number | null;
  /** Pushes beyond one per person: an answer was lost or late, and the sender retried. */
  repeatedPushes: number;
}

export type Figure = keyof DeliveryRun;
export const figures = [
  'durationMs',
  'pushesPerSecond',
  'p50Ms',
  'p99Ms',
  'cpuSeconds',
  'snsCpuSeconds',
  'peakMemoryMb',
  'repeatedPushes',
] as const satisfies readonly Figure[];

export interface DeliveryResult {
  system: string;
  what: string;
  size: number;
  runs: DeliveryRun[];
  /** Null without runs, or where it cannot be measured. */
  spread: Record<Figure, Spread | null>;
  /** Why runs are missing: packages that are not installed, or failures. */
  notes: string[];
}

export function resultOf(result: Omit<DeliveryResult, 'spread'>): DeliveryResult {
  const entries = figures.map((figure) => [figure, knownSpread(result.runs.map((run) => run[figure]))]);
  return { ...result, spread: Object.fromEntries(entries) };
}

function knownSpread(values: (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? spreadOf(known) : null;
}
