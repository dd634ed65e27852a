import { offsetAt, offsetChanges, slowMoment } from '../../simulator/oracle/clock.ts';
import { DAY } from './fixtures.ts';

/*
 * When daily reminders of a traveller are due, by looking at each date in turn. It shares nothing with the schedule, and
 * remembers what it has found, since a million people ask.
 */

const from = Date.parse('2025-12-01T00:00:00Z');
const until = Date.parse('2029-08-01T00:00:00Z');
const days = (until - from) / DAY;

const changesOf = remembering((zone: string) => offsetChanges(zone, from, until));
const offsetsOf = remembering((zone: string) => [
  ...new Set([from, ...changesOf(zone)].map((at) => offsetAt(at, zone))),
]);
const instantsOf = remembering((_clock: string) => new Float64Array(days).fill(Number.NaN));

function remembering<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(key);
    known.set(key, found);
    return found;
  };
}

/** The instants at which the clocks of a zone change, 2026 to 2028 (epoch ms). */
export const clockChanges = (zone: string): number[] =>
  changesOf(zone).filter((at) => at >= Date.parse('2026-01-01') && at < Date.parse('2029-01-01'));

export const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** When clocks of a zone show a time on a day, counted from 1970 (epoch ms). */
export function dueOn(day: number, time: string, zone: string): number {
  const instants = instantsOf(`${zone} ${time}`);
  const n = day - from / DAY;
  const known = instants[n];
  if (known === undefined) throw new RangeError(`${dateOf(day)} is not in these years`);
  if (!Number.isNaN(known)) return known;
  const { at } = slowMoment(dateOf(day), time, zone, offsetsOf(zone));
  instants[n] = at;
  return at;
}

/** The outcome of a day's reminder. */
export interface Ended {
  on: string;
  state: 'sent' | 'skipped';
  reason: 'superseded' | 'expired' | null;
}

/** One person's reminders: each listed day once, at the time of the clock that holds. */
export class SlowReminders {
  readonly #time: string;
  readonly #weekdays: readonly number[];
  readonly #since: number;
  readonly #expiryMs: number;
  #next: number;
  zone: string;

  constructor(options: {
    time: string;
    weekdays: readonly number[];
    start: number;
    since: number;
    expiryMs: number;
    zone: string;
  }) {
    this.#time = options.time;
    this.#weekdays = options.weekdays;
    this.#since = options.since;
    this.#expiryMs = options.expiryMs;
    this.#next = options.start;
    this.zone = options.zone;
  }

  dueAt = (day: number) => dueOn(day, this.#time, this.zone);

  /** Whether the person was there when the reminder of a date was due. */
  exists = (on: string) => this.dueAt(Date.parse(on) / DAY) > this.#since;

  /** Nothing comes up to this date any more. */
  pass(on: string) {
    this.#next = Math.max(this.#next, Date.parse(on) / DAY + 1);
  }

  /** The first day from `day` on whose reminder exists. */
  #from(day: number): number {
    let found = day;
    // The first of January 1970 was a Thursday.
    while (!this.#weekdays.includes((found + 4) % 7) || this.dueAt(found) <= this.#since) found++;
    return found;
  }

  /** The one that comes next. */
  next() {
    const day = this.#from(this.#next);
    return { on: dateOf(day), dueAt: this.dueAt(day) };
  }

  /** The outcomes of what is due by now: the newest is sent, unless it has expired too. */
  ring(now: number): Ended[] {
    const due: number[] = [];
    for (let day = this.#from(this.#next); this.dueAt(day) <= now; day = this.#from(day + 1)) due.push(day);
    if (due.length > 0) this.#next = (due.at(-1) ?? 0) + 1;
    return due.map((day) => {
      const on = dateOf(day);
      if (now >= this.dueAt(day) + this.#expiryMs) return { on, state: 'skipped', reason: 'expired' };
      if (day !== due.at(-1)) return { on, state: 'skipped', reason: 'superseded' };
      return { on, state: 'sent', reason: null };
    });
  }
}
