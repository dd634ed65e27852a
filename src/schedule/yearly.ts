import { dayMs } from './days.ts';

/** A yearly change of the clocks: on the first `weekday` on or after `day` of `month`. */
export interface YearlyChange {
  /** 1-12 */
  month: number;
  /** 1-31 */
  day: number;
  /** 0-6, Sunday to Saturday. */
  weekday: number;
  /** Ms after midnight on the clock as it was before the change. */
  time: number;
  /** The new offset, in ms ahead of UTC. */
  offset: number;
}

/** The two changes of a year, in their order. */
export type Yearly = readonly [YearlyChange, YearlyChange];

/** A change of the clocks: from the instant `at` (epoch ms) on they are `offset` ms ahead of UTC. */
export interface Change {
  at: number;
  offset: number;
}

/** The changes of three years, in their order: the year of the instant `at` (epoch ms) is the middle one. */
export function changesAround(yearly: Yearly, at: number): Change[] {
  const year = new Date(at).getUTCFullYear();
  return [...changesIn(yearly, year - 1), ...changesIn(yearly, year), ...changesIn(yearly, year + 1)];
}

/** The first change of the rule after the instant `at` (epoch ms). */
export const nextChange = (yearly: Yearly, at: number): Change | undefined =>
  changesAround(yearly, at).find((change) => change.at > at);

/** The two changes of a year, in their order. */
function changesIn([first, second]: Yearly, year: number): [Change, Change] {
  return [
    { at: wallIn(year, first) - second.offset, offset: first.offset },
    { at: wallIn(year, second) - first.offset, offset: second.offset },
  ];
}

/** The time of the change, on the clock before it (ms, as if it were UTC). */
function wallIn(year: number, { month, day, weekday, time }: YearlyChange): number {
  const earliest = Date.UTC(year, month - 1, day);
  const days = (weekday - new Date(earliest).getUTCDay() + 7) % 7;
  return earliest + days * dayMs + time;
}
