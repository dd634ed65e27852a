import { Temporal } from 'temporal-polyfill';
import { changesOf } from './zones.ts';

/** Instants after `from` to compare. */
export const count = 3;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

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
  const readings = [at - 1, at].map((instant) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainTime(),
  );
  const times = readings.flatMap((reading) =>
    [-30, 0, 1, 30].map((minutes) => reading.add({ minutes }).toString({ smallestUnit: 'minute' })),
  );
  return [...new Set([...times, '12:00'])];
}

/** The right answers, computed with Temporal alone, date by date (epoch ms). */
export function expectedAfter({ zone, from, time }: Case): number[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate();
  const plainTime = Temporal.PlainTime.from(time);
  return Array.from({ length: count + 2 }, (_, day) => first.add({ days: day - 1 }))
    .map((date) => date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds)
    .filter((at) => at > from)
    .slice(0, count);
}
