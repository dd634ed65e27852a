import type { Draws } from './random-draws.ts';
import type { Period } from './random-people.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const iso = (ms: number) => new Date(ms).toISOString();

/** Moments of a scenario, often close to a time in `due` (epoch ms), where changes and faults meet work under way. */
export function createMoments({ below, one, chance }: Draws, { from, hours }: Period, due: number[]) {
  /** Epoch ms. */
  const moment = () => {
    if (due.length > 0 && chance(0.7)) return one(due) + (below(20) - 6) * 1000 + below(1000);
    return from + below(hours * 60) * minuteMs + below(60_000);
  };
  return {
    moment,
    /** The same, not outside of the scenario; ISO 8601. */
    within: () => iso(Math.min(Math.max(moment(), from + 1000), from + hours * hourMs - 1000)),
  };
}
