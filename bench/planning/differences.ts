import { Temporal } from 'temporal-polyfill';
import { ruleOf, walkers } from './planners.ts';
import { changesOf } from './zones.ts';

export type Contestant = keyof typeof walkers;
export const contestants = Object.keys(walkers) as Contestant[];

/** How an answer is wrong. `moved`: the right date at another instant. */
export type Fault = 'skips a date' | 'a date twice' | 'moved' | 'throws';

/** A case in which somebody is not right. Instants are ISO 8601 in UTC. */
export interface Difference {
  contestant: Contestant;
  fault: Fault;
  zone: string;
  /** Each day at this time. */
  wallTime: string;
  from: string;
  /** The local date of the first instant that is wrong. */
  on: string;
  expected: string;
  answered: string;
}

/** How many instants behind `from` are compared. */
const count = 3;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An instant around which hardly any zone changes its clocks. */
const ordinary = Date.parse('2026-06-17T10:00:00.000Z');
const years = { first: 2026, last: 2028 } as const;

interface Case {
  zone: string;
  from: number;
  time: string;
}

/**
 * Each day at one time, around each change of the clocks of each zone: who answers something else than RFC 5545 and
 * Temporal say. That is one instant for each date, at the wall time, moved forward by the gap where it does not exist,
 * and the first of two.
 */
export function findDifferences(zones: readonly string[]): { cases: number; differences: Difference[] } {
  const cases = zones.flatMap(casesOf);
  const found: Difference[] = [];
  for (const one of cases) {
    const expected = expectedAfter(one);
    for (const contestant of contestants) {
      const difference = compare(contestant, one, expected);
      if (difference) found.push(difference);
    }
  }
  return { cases: cases.length, differences: found };
}

function casesOf(zone: string): Case[] {
  return [
    ...['00:00', '02:30', '12:00'].map((time) => ({ zone, from: ordinary, time })),
    ...changesOf(zone, years.first, years.last).flatMap((at) =>
      timesAround(zone, at).flatMap((time) =>
        [minuteMs, hourMs, 25 * hourMs].map((before) => ({ zone, from: at - before, time })),
      ),
    ),
  ];
}

/** Wall times that the change touches: both readings of the clock at it, between them, and before and after. */
function timesAround(zone: string, at: number): string[] {
  const readings = [at - 1, at].map((instant) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainTime(),
  );
  const times = readings.flatMap((reading) =>
    [-30, 0, 1, 30].map((minutes) => reading.add({ minutes }).toString({ smallestUnit: 'minute' })),
  );
  return [...new Set([...times, '12:00'])];
}

/** From Temporal alone, date by date. */
function expectedAfter({ zone, from, time }: Case): number[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate();
  const plainTime = Temporal.PlainTime.from(time);
  return Array.from({ length: count + 2 }, (_, day) => first.add({ days: day - 1 }))
    .map((date) => date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds)
    .filter((at) => at > from)
    .slice(0, count);
}

function compare(contestant: Contestant, one: Case, expected: number[]): Difference | null {
  const { zone, from, time } = one;
  const [hour, minute] = time.split(':').map(Number);
  const recurrence = `${minute} ${hour} * * *`;
  const told = (at: number, answered: string, fault: Fault): Difference => ({
    contestant,
    fault,
    zone,
    wallTime: time,
    from: new Date(from).toISOString(),
    on: localDate(at, zone),
    expected: new Date(at).toISOString(),
    answered,
  });
  try {
    const answers = walkers[contestant](
      { recurrence, rule: ruleOf(recurrence), time: null, zone, from },
      count,
    );
    const wrong = expected.findIndex((at, n) => answers[n] !== at);
    if (wrong < 0) return null;
    const [right, answer] = [expected[wrong] as number, answers[wrong]];
    const shown = answer === undefined ? 'nothing' : new Date(answer).toISOString();
    return told(right, shown, faultOf(right, answer, answers[wrong - 1], zone));
  } catch (error) {
    return told(expected[0] as number, String(error), 'throws');
  }
}

function faultOf(right: number, answer: number | undefined, before: number | undefined, zone: string): Fault {
  if (answer === undefined) return 'skips a date';
  if (before !== undefined && localDate(before, zone) === localDate(answer, zone)) return 'a date twice';
  return localDate(answer, zone) === localDate(right, zone)
    ? 'moved'
    : answer > right
      ? 'skips a date'
      : 'a date twice';
}

const localDate = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString();
