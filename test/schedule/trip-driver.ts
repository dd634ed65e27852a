import type { Changes } from '../../src/reminders/changes.ts';
import type { Notification } from '../../src/reminders/columns.ts';
import { decide } from '../../src/reminders/lifecycle.ts';
import { finished, planChanges } from '../../src/reminders/plan-changes.ts';
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

/** One person's reminders of one survey as the service keeps them, with the last two rows in the place of the database. */
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
    this.#write(planChanges(this.#state(), now));
  }

  /** Rings until nothing is due. Returns what was settled. */
  ring(now: number): Ended[] {
    const before = this.ended.size;
    while (this.#pending !== null && this.#pending.nextAttemptAt <= now) {
      const { changes, push } = decide(this.#state(), now);
      const sent = push && finished(push.notification, { state: 'sent', at: now });
      this.#write({ ...changes, finish: [...changes.finish, ...(sent ? [sent] : [])] });
    }
    return [...this.ended.values()].slice(before);
  }

  #write({ finish, invalidate, unschedule, schedule, confirm }: Changes) {
    for (const { key } of [...unschedule, ...invalidate])
      if (this.#pending?.key === key) this.#pending = null;
    for (const row of finish) {
      if (this.#pending?.key === row.key) this.#pending = null;
      if (this.ended.has(row.key)) throw new Error(`${row.key} is settled twice`);
      this.ended.set(row.key, { on: row.key, state: row.state, reason: row.reason } as Ended);
      if (row.key > (this.#settled?.key ?? '')) this.#settled = row;
    }
    for (const row of [...schedule, ...confirm]) {
      if (this.#pending !== null && this.#pending.key !== row.key) throw new Error('two are pending');
      if (this.ended.has(row.key)) throw new Error(`${row.key} is scheduled again`);
      this.#pending = row;
    }
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
  revision: 0,
  remindersSince: 0,
  remindedUntil: 0,
  snoozed: false,
  texts: { notification: { subject: '', body: '' }, translations: {} },
  followUps: null,
  followed: null,
  plannedFrom: '',
  unreadable: false,
  unlessAnswered: false,
  quietHours: null,
  pausedUntil: null,
  member: true,
  archived: false,
  frozen: false,
  superseded: [],
  answers: [],
  reachable: true,
};
