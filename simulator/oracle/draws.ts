import { createHmac } from 'node:crypto';
import type { GivenReminders } from '../records.ts';

/** The inputs of a person's draws within windows. */
export interface Draw {
  secret: string;
  user: string;
  revision: number;
}

interface Slot {
  from: number;
  to: number;
}

interface GivenWindow {
  from: string;
  to: string;
  count: number;
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The windows of reminders, one for each occurrence of a date; none without windows. */
export function slotsOf(given: GivenReminders): Slot[] {
  const windows = (given?.windows ?? []) as GivenWindow[];
  return windows.flatMap(({ from, to, count }) =>
    Array.from({ length: count }, () => ({ from: minuteOf(from), to: minuteOf(to) })),
  );
}

/** The number of ways to place the slots from `slot` on, the first of them at `earliest` or later. */
type Ways = (slot: number, earliest: number) => bigint;

/** By reminders. Kept from run to run, because counting is slow. */
const counted = new Map<string, Ways>();

function waysOf(given: GivenReminders, gap: number): Ways {
  const text = JSON.stringify(given);
  const counting = counted.get(text);
  if (counting) return counting;
  const slots = slotsOf(given);
  const known = new Map<string, bigint>();
  const waysFrom: Ways = (slot, earliest) => {
    const window = slots[slot];
    if (!window) return 1n;
    const key = `${slot} ${earliest}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let ways = 0n;
    for (let minute = Math.max(window.from, earliest); minute < window.to; minute++)
      ways += waysFrom(slot + 1, minute + gap);
    known.set(key, ways);
    return ways;
  };
  counted.set(text, waysFrom);
  return waysFrom;
}

/**
 * The minutes of a date's slots, by counting for each minute in turn the ways in which the later slots can follow. The
 * random numbers are the same as the application's, and nothing else.
 */
export function slowMinutes(given: GivenReminders, { secret, user, revision }: Draw, date: string): number[] {
  const gap = Math.max(1, Number(given?.minGap ?? 30));
  const waysFrom = waysOf(given, gap);
  let earliest = 0;
  return slotsOf(given).map(({ to }, slot) => {
    const digest = createHmac('sha256', secret)
      .update(`${revision}/${user}/${date}/${slot >> 2}`)
      .digest();
    const random = digest.readBigUInt64BE((slot % 4) * 8) & ((1n << 53n) - 1n);
    const limit = random * waysFrom(slot, earliest);
    let minute = to - 1;
    while (waysFrom(slot, minute) << 53n <= limit) minute--;
    earliest = minute + gap;
    return minute;
  });
}
