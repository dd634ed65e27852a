import { offsetAt, offsetChanges, slowMoment, wallAt } from './clock.ts';

/*
 * Reminders that follow responses, by decision 28 alone. Instants are epoch ms.
 */

export interface SlowTrigger {
  /** Minutes. */
  after: number;
  /** `HH:MM`. */
  at?: string | undefined;
}

const dayMs = 86_400_000;
const offsets = new Map<string, number[]>();

/** The offsets of a zone in the month before and the one after, by month. */
function offsetsAround(at: number, zone: string): number[] {
  const month = Math.floor(at / (30 * dayMs));
  const key = `${zone} ${month}`;
  const known = offsets.get(key);
  if (known) return known;
  const [from, to] = [(month - 1) * 30 * dayMs, (month + 2) * 30 * dayMs];
  const found = [...new Set([from, ...offsetChanges(zone, from, to)].map((one) => offsetAt(one, zone)))];
  offsets.set(key, found);
  return found;
}

/** The due time after a response: of the dates around it the first one whose time has not passed by then. */
export function slowDue({ after, at }: SlowTrigger, given: number, zone: string): number {
  const from = given + after * 60_000;
  if (at === undefined) return from;
  const day = Date.parse(wallAt(from, zone).slice(0, 10));
  const times = [-1, 0, 1, 2].map((days) => {
    const date = new Date(day + days * dayMs).toISOString().slice(0, 10);
    return slowMoment(date, at, zone, offsetsAround(from, zone)).at;
  });
  return Math.min(...times.filter((time) => time >= from));
}
