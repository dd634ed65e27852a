import { clockOf, instantOf } from './clocks.ts';
import { dateOf, dayMs } from './days.ts';
import { type Draw, drawMinutes, type Windows } from './windows.ts';

/** The inputs of the times of a date's slots. */
export interface SlotTimes {
  windows: Windows;
  draw: Draw;
  timeZone: string;
}

/**
 * The instants of a day's slots, epoch ms. A minute that the clocks skip moves forward by the gap, like every wall time.
 * Slots that a clock change brings closer together than the gap of the windows, or out of order, come that gap after the
 * previous slot.
 */
export function slotTimes(of: SlotTimes, day: number): readonly number[] {
  const last = known.get(of.draw);
  if (last?.windows === of.windows && last.timeZone === of.timeZone && last.day === day) return last.instants;
  const instants = findTimes(of, day);
  known.set(of.draw, { windows: of.windows, timeZone: of.timeZone, day, instants });
  return instants;
}

/** The last day of each person and survey: its slots are requested one after the other. */
const known = new WeakMap<
  Draw,
  { windows: Windows; timeZone: string; day: number; instants: readonly number[] }
>();

function findTimes({ windows, draw, timeZone }: SlotTimes, day: number): number[] {
  const clock = clockOf(timeZone);
  const wallAt = (minute: number) => instantOf(clock, day * dayMs + minute * 60_000);
  // If the clocks skip a midnight, the day before may reach into this one.
  const overlaps = wallAt(-1) >= wallAt(0);
  let earliest = overlaps ? (findTimes({ windows, draw, timeZone }, day - 1).at(-1) ?? 0) : 0;
  return drawMinutes(windows, draw, dateOf(day)).map((minute) => {
    const at = Math.max(wallAt(minute), earliest);
    earliest = at + windows.gap * 60_000;
    return at;
  });
}
