import { offsetAt, slowMoment, wallAt } from '../../simulator/oracle/clock.ts';
import { changesOf } from './zones.ts';

/** Instants after `from` to compare. */
export const count = 3;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Hardly any zone changes its clocks around it. */
const ordinary = Date.parse('2026-06-17T10:00:00.000Z');
const years = { first: 2026, last: 2028 } as const;

/** The next instants of a daily reminder after `from`. */
export interface Case {
  zone: string;
  from: number;
  time: string;
}

/** Around each clock change of the zone, and on an ordinary day. */
export function casesOf(zone: string): Case[] {
  return [
    ...['00:00', '02:30', '12:00'].map((time) => ({ zone, from: ordinary, time })),
    ...changesOf(zone, years.first, years.last).flatMap((at) =>
      timesAround(zone, at).flatMap((time) =>
        [minuteMs, hourMs, 25 * hourMs].map((before) => ({ zone, from: at - before, time })),
      ),
    ),
  ];
}

/** Wall times near a clock change: at both readings of the clock, between them, before and after. */
function timesAround(zone: string, at: number): string[] {
  const readings = [at - minuteMs, at].map((instant) => instant + offsetAt(instant, zone));
  const times = readings.flatMap((reading) =>
    [-30, 0, 1, 30].map((minutes) => new Date(reading + minutes * minuteMs).toISOString().slice(11, 16)),
  );
  return [...new Set([...times, '12:00'])];
}

/**
 * The right answers, date by date (epoch ms): by the newest rules, whatever the runtime's, and by code that Fieldbell does
 * not use.
 */
export function expectedAfter({ zone, from, time }: Case): number[] {
  const today = Date.parse(localDate(from, zone));
  const offsets = offsetsAround(from, zone);
  return Array.from({ length: count + 2 }, (_, day) => new Date(today + (day - 1) * dayMs))
    .map((date) => slowMoment(date.toISOString().slice(0, 10), time, zone, offsets).at)
    .filter((at) => at > from)
    .slice(0, count);
}

/** All offsets of the zone on the days that are asked for. */
const offsetsAround = (from: number, zone: string) => [
  ...new Set(Array.from({ length: count + 5 }, (_, day) => offsetAt(from + (day - 3) * dayMs, zone))),
];

/** `2026-03-29` */
export const localDate = (at: number, zone: string) => wallAt(at, zone).slice(0, 10);
