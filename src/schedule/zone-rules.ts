import { clockOf, offsetAt } from './clocks.ts';
import { nextChange, type YearlyChange } from './yearly.ts';

/**
 * All that decides the clocks of a zone from the instant `from` (epoch ms) on, as text. Two releases of the tz database
 * that give the same text agree on every later instant; when they give different texts, what is planned in the zone is
 * to be planned again. What changed before `from` does not show. Throws a RangeError for an unknown zone.
 */
export function rulesFrom(timeZone: string, from: number): string {
  const clock = clockOf(timeZone);
  const { changes, yearly } = clock.zone;
  const explicit = changes.filter(({ at }) => at > from);
  // Where the yearly rule takes over depends on what was before: here it does as early as it can.
  while (yearly !== null && explicit.length > 0) {
    const last = explicit.at(-1);
    const expected = nextChange(yearly, explicit.at(-2)?.at ?? from);
    if (last?.at !== expected?.at || last?.offset !== expected?.offset) break;
    explicit.pop();
  }
  const texts = explicit.map(({ at, offset }) => `${new Date(at).toISOString()} ${offset / 1000}`);
  return [offsetAt(clock, from) / 1000, ...texts, ...(yearly ?? []).map(written)].join(', ');
}

/** Such as `3.8.0 7200s -14400`: month, day and weekday of {@link YearlyChange}, its time and offset. */
const written = ({ month, day, weekday, time, offset }: YearlyChange) =>
  `${month}.${day}.${weekday} ${time / 1000}s ${offset / 1000}`;
