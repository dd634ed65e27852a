import { DAY, MINUTE } from './fixtures.ts';
import { dateOf, dueOn, type Ended } from './trip-oracle.ts';

/*
 * The reminders of somebody with dates of their own, by looking at each day in turn. It shares nothing with the schedule.
 * Days are counted from 1970, instants are epoch ms.
 */

/** The reminders as they are set. */
export interface Given {
  recurrence: string;
  from: 'download' | 'joined' | { date: string };
  days: number[] | { burst?: number; every: number; times: number };
  expiresAfter: number;
}

export interface Own {
  zone: string;
  /** The dates, each with when it was set; null: taken away. */
  dates: Map<string, { day: number | null; at: number }>;
  /** First and last day, with when they were set. */
  time: { from: number | null; until: number | null; at: number } | null;
  /** The study's, with when it was set. */
  participationDays: { days: number | null; at: number };
}

export class SlowCourse {
  readonly #given: Given;
  readonly #joined: { day: number; at: number };
  #settled = Number.NEGATIVE_INFINITY;
  /** The last one that was sent, by the number of its day, if nothing was settled since. */
  #sent: { n: number; day: number } | null = null;
  own: Own;

  constructor(given: Given, joined: { day: number; at: number }, own: Own) {
    this.#given = given;
    this.#joined = joined;
    this.own = own;
  }

  /** Day 0. */
  get #start() {
    const { from } = this.#given;
    if (typeof from === 'object') return this.own.dates.get(from.date);
    return { day: this.#joined.day, at: Number.NEGATIVE_INFINITY };
  }

  dueAt(day: number) {
    const [minute, hour] = this.#given.recurrence.split(' ').map((part) => part.padStart(2, '0'));
    return dueOn(day, `${hour}:${minute}`, this.own.zone);
  }

  #isListed(n: number): boolean {
    const { days } = this.#given;
    if (Array.isArray(days)) return days.some((day) => day === n);
    for (let time = 0; time < days.times; time++)
      for (let row = 0; row < (days.burst ?? 1); row++) if (n === time * days.every + row) return true;
    return false;
  }

  #isWithin(day: number): boolean {
    const { time, participationDays } = this.own;
    if (time?.from != null && day < time.from) return false;
    if (time?.until != null) return day <= time.until;
    const first = Math.max(this.#joined.day, time?.from ?? 0);
    return participationDays.days === null || day < first + participationDays.days;
  }

  /** Every day that comes, or came and is not settled. */
  #coming(): number[] {
    const start = this.#start;
    if (!start || start.day === null) return [];
    const { day: zero } = start;
    const changed = Math.max(start.at, this.own.time?.at ?? -Infinity, this.own.participationDays.at);
    const since = Math.max(this.#joined.at, changed - this.#given.expiresAfter * MINUTE);
    const found: number[] = [];
    for (let n = -365; n <= 400; n++) {
      const day = zero + n;
      if (!this.#isListed(n) || !this.#isWithin(day) || day <= this.#settled) continue;
      if (this.dueAt(day) > since && !this.#came(n, zero)) found.push(day);
    }
    return found;
  }

  /** Of a date that was corrected, but not by as long as the occurrence is open: it came before. */
  #came(n: number, zero: number): boolean {
    if (this.#sent === null || typeof this.#given.from !== 'object' || n > this.#sent.n) return false;
    const moved = Math.abs(zero + this.#sent.n - this.#sent.day);
    return moved * DAY < this.#given.expiresAfter * MINUTE;
  }

  /** Nothing comes up to this day any more. */
  #settle(day: number, isSent: boolean) {
    if (day <= this.#settled) return;
    this.#settled = day;
    this.#sent = isSent ? { n: day - (this.#start?.day ?? 0), day } : null;
  }

  /** Whether the occurrence of a date comes, or came and is not settled. */
  exists = (on: string) => this.#coming().includes(dayOf(on));

  /** The same of a date, on which nobody was reminded. */
  pass(on: string) {
    this.#settle(dayOf(on), false);
  }

  next() {
    const [day] = this.#coming();
    return day === undefined ? null : { on: dateOf(day), dueAt: this.dueAt(day) };
  }

  /** The outcomes of what is due by now: the newest is sent, unless it has expired too. */
  ring(now: number): Ended[] {
    const due = this.#coming().filter((day) => this.dueAt(day) <= now);
    const ended = due.map((day): Ended => {
      const on = dateOf(day);
      if (now >= this.dueAt(day) + this.#given.expiresAfter * MINUTE)
        return { on, state: 'skipped', reason: 'expired' };
      if (day !== due.at(-1)) return { on, state: 'skipped', reason: 'superseded' };
      return { on, state: 'sent', reason: null };
    });
    for (const { on, state } of ended) this.#settle(dayOf(on), state === 'sent');
    return ended;
  }
}

export const dayOf = (date: string) => Date.parse(date) / DAY;
