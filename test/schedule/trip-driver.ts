import { decide } from '../../src/reminders/decide.ts';
import type { Notification } from '../../src/reminders/notification.ts';
import { finished, type Plan, planNext } from '../../src/reminders/plan.ts';
import type { UserReminders } from '../../src/reminders/state.ts';
import { clockedBy } from '../../src/schedule/occurrences.ts';
import type { Reminders, SeriesRule } from '../../src/schedule/rule.ts';
import type { Ended } from './trip-oracle.ts';

/** The zones of a person: that of the phone, their own, and that of the study. The first that is there is their zone. */
export interface Zones {
  device: string | null;
  user: string | null;
  study: string;
}

export const zoneOf = ({ device, user, study }: Zones): string => device ?? user ?? study;

export interface Rule {
  rule: SeriesRule;
  clock: NonNullable<Reminders['clock']>;
  start: string;
  since: number;
  expiresAfter: number;
}

/** One person's reminders of one survey as the service keeps them, with its cursor in the place of the database. */
export class TripDriver {
  zones: Zones;
  readonly #given: Rule;
  #pending: Notification | null = null;
  #settled: Notification | null = null;
  /** The dates that are settled. */
  readonly ended = new Map<string, Ended>();

  constructor(given: Rule, zones: Zones) {
    this.#given = given;
    this.zones = zones;
  }

  get pending(): Notification | null {
    return this.#pending;
  }

  plan(now: number) {
    this.#write(planNext(this.#state(), now));
  }

  /** Rings until nothing is due. Returns what was settled. */
  ring(now: number): Ended[] {
    const before = this.ended.size;
    while (this.#pending !== null && this.#pending.nextAttemptAt <= now) {
      const { finish, next, push } = decide(this.#state(), now);
      const sent = push && finished(push.notification, { state: 'sent', at: now });
      this.#write({ next, finish: [...finish, ...(sent ? [sent] : [])] });
    }
    return [...this.ended.values()].slice(before);
  }

  #write({ finish, next }: Plan) {
    // One that is taken back may come again.
    for (const row of finish.filter(({ state }) => state !== 'invalidated')) {
      if (this.ended.has(row.key)) throw new Error(`${row.key} is settled twice`);
      this.ended.set(row.key, { on: row.key, state: row.state, reason: row.reason } as Ended);
      if (row.key > (this.#settled?.key ?? '')) this.#settled = row;
    }
    if (next && this.ended.has(next.key)) throw new Error(`${next.key} is scheduled again`);
    this.#pending = next;
  }

  #state(): UserReminders {
    const { rule, clock, start, since, expiresAfter } = this.#given;
    const userZone = zoneOf(this.zones);
    return {
      ...unchanged,
      ...clockedBy(clock, { userZone, studyZone: this.zones.study, time: null }),
      rule,
      start,
      since,
      expiresAfter,
      settledThrough: this.#settled?.key ?? null,
      pending: this.#pending,
    };
  }
}

const unchanged = {
  user: 'a'.repeat(32),
  survey: 'b'.repeat(32),
  investigation: 'c'.repeat(32),
  combination: null,
  revision: 0,
  remindersSince: 0,
  remindedUntil: 0,
  blinded: false,
  texts: { notification: { subject: '', body: '' }, translations: {} },
  followUps: null,
  last: null,
  unreadable: false,
  unlessAnswered: false,
  quietHours: null,
  pausedUntil: null,
  member: true,
  archived: false,
  frozen: false,
  answers: [],
  reachable: true,
};
