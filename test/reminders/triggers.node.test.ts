import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wallAt } from '../../simulator/oracle/clock.ts';
import { type SlowTrigger, slowDue } from '../../simulator/oracle/triggers.ts';
import { decideReminders } from '../../src/reminders/decide.ts';
import type { Notification } from '../../src/reminders/notification.ts';
import { finished, type Plan, planNext } from '../../src/reminders/plan.ts';
import type { UserReminders } from '../../src/reminders/state.ts';
import { responseOf, slotOf } from '../../src/schedule/slots.ts';

/*
 * One participant, one survey with triggered reminders. The cursor and the past are kept here; what may be sent, and
 * when, comes from the oracle alone.
 */

const minute = 60_000;
const start = Date.parse('2027-03-27T09:00:00.000Z');
const expiresAfter = 120;

type Step =
  | { go: 'respond' | 'overlap'; late: number }
  | { go: 'delete' | 'restore' | 'unfit' | 'fit'; nth: number }
  | { go: 'edit' | 'overlapping-edit'; trigger: SlowTrigger }
  | { go: 'answer' }
  | { go: 'travel'; zone: string }
  | { go: 'wait' | 'ring'; minutes: number };

interface Response {
  id: string;
  given: number;
  deleted: boolean;
  fits: boolean;
}

const zones = ['Europe/Paris', 'America/New_York', 'Pacific/Kiritimati', 'Australia/Lord_Howe', 'UTC'];
const triggers: fc.Arbitrary<SlowTrigger> = fc.record(
  {
    after: fc.constantFrom(0, 5, 20, 60, 600, 2000),
    at: fc.constantFrom('00:00', '02:30', '08:00', '18:00', '23:59'),
  },
  { requiredKeys: ['after'] },
);
const nth = fc.nat(9);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      go: fc.constant('respond' as const),
      late: fc.constantFrom(0, 0, 0, 30, 90, 300),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ go: fc.constant('overlap' as const), late: fc.constantFrom(0, 30, 90) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      go: fc.constantFrom('delete' as const, 'restore' as const, 'unfit' as const, 'fit' as const),
      nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      go: fc.constantFrom('edit' as const, 'overlapping-edit' as const),
      trigger: triggers,
    }),
  },
  { weight: 2, arbitrary: fc.record({ go: fc.constant('answer' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ go: fc.constant('travel' as const), zone: fc.constantFrom(...zones) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ go: fc.constant('wait' as const), minutes: fc.constantFrom(10, 60, 700) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ go: fc.constant('ring' as const), minutes: fc.constantFrom(0, 5, 20, 60, 600) }),
  },
);

class Participant {
  now = start;
  zone = 'Europe/Paris';
  trigger: SlowTrigger;
  revision = 0;
  since = start - 1;
  responses: Response[] = [];
  /** The cursor: what comes next. */
  next: Notification | null = null;
  /** The settled notifications. */
  past = new Map<string, Notification>();
  /** The responses whose reminders were pushed. */
  pushed: string[] = [];

  constructor(trigger: SlowTrigger) {
    this.trigger = trigger;
  }

  /** The settled notifications that count, the newest first. */
  counting() {
    return [...this.past.values()]
      .filter(({ state }) => state !== 'invalidated')
      .toSorted((a, b) => b.revision - a.revision || (a.key < b.key ? 1 : -1));
  }

  /** As the database would be read. */
  state(): UserReminders {
    const counting = this.counting();
    const [last = null] = counting;
    const settled = last?.revision === this.revision ? last : null;
    const done = new Set(counting.map(responseOfRow));
    return {
      user: 'a'.repeat(32),
      survey: 'b'.repeat(32),
      investigation: 'c'.repeat(32),
      revision: this.revision,
      remindersSince: this.since,
      remindedUntil: 0,
      texts: { notification: { subject: '', body: '' }, translations: {} },
      followUps: null,
      rule: { type: 'triggered', after: this.trigger.after, at: this.trigger.at ?? null, time: null },
      unreadable: false,
      expiresAfter,
      unlessAnswered: false,
      start: '2027-03-01',
      since: this.since,
      settledThrough: settled?.key ?? null,
      settledCount: settled ? settled.counter + 1 : 0,
      triggers: this.responses
        .filter(({ deleted, fits }) => !deleted && fits)
        .map(({ id, given }) => ({ at: given, response: id, settled: done.has(id) }))
        .sort((a, b) => a.at - b.at || (a.response < b.response ? -1 : 1)),
      timeZone: this.zone,
      time: null,
      quietHours: null,
      pausedUntil: null,
      member: true,
      archived: false,
      frozen: false,
      pending: this.next,
      last,
      answers: [],
      reachable: true,
    };
  }

  /** `isLate`: it was decided before something that is known by now. */
  settle(finish: Notification[], isLate = false) {
    const open = this.open();
    for (const row of finish.filter(({ state }) => state === 'skipped')) {
      const skipped = this.responses.find(({ id }) => id === responseOfRow(row)) as Response;
      const due = this.dueOf(skipped);
      const isExpired = this.now >= due + expiresAfter * minute;
      const isNewer = (one: Response) =>
        one !== skipped && one.given >= skipped.given && this.dueOf(one) <= this.now;
      const isTrue = row.reason === 'expired' ? isExpired : row.reason === 'superseded' && open.some(isNewer);
      const isAnswered = row.reason === 'answered' && row.answeredAt !== null;
      expect(isTrue || isAnswered || isLate).toBe(true);
    }
    for (const row of finish) {
      const stored = this.past.get(nameOf(row));
      expect(!stored || stored.state === 'invalidated', `${nameOf(row)} is settled already`).toBe(true);
      this.past.set(nameOf(row), row);
    }
    const settled = this.counting().map(responseOfRow);
    expect(new Set(settled).size, 'settled twice').toBe(settled.length);
  }

  write({ finish, next }: Plan) {
    this.settle(finish);
    this.next = next;
  }

  /** Something happens between the claim and the end of a turn, which is settled, and whose plan is not taken. */
  overlap(meanwhile: () => void) {
    const { finish, push } = decideReminders(this.state(), this.now);
    meanwhile();
    const sent = push ? [finished(push.notification, { state: 'sent', at: this.now })] : [];
    this.pushed.push(...sent.map(responseOfRow));
    const all = [...finish, ...sent];
    this.settle(all, true);
    if (all.some(({ id }) => id === this.next?.id)) this.next = null;
  }

  /** Each reminder that waits is answered. */
  answer() {
    if (this.next && this.next.dueAt <= this.now) this.next = { ...this.next, answeredAt: this.now };
  }

  edit(trigger: SlowTrigger) {
    this.trigger = trigger;
    this.revision++;
    this.since = this.now;
  }

  respond(late: number) {
    const id = this.responses.length.toString(16).padStart(32, '0');
    this.responses.push({ id, given: this.now - late * minute, deleted: false, fits: true });
  }

  plan() {
    this.write(planNext(this.state(), this.now));
  }

  /** Rings as long as something is due, and checks each push. */
  ring() {
    for (let n = 0; n < 50; n++) {
      if (!this.next || this.next.nextAttemptAt > this.now) return;
      const { finish, next, push } = decideReminders(this.state(), this.now);
      const sent = push ? [finished(push.notification, { state: 'sent', at: this.now })] : [];
      this.write({ finish: [...finish, ...sent], next });
      if (!push) continue;
      const id = responseOfRow(push.notification);
      const response = this.responses.find((one) => one.id === id);
      expect(this.pushed, 'twice').not.toContain(id);
      this.pushed.push(id);
      expect(response).toMatchObject({ deleted: false, fits: true });
      const due = this.dueOf(response as Response);
      expect(due).toBeLessThanOrEqual(this.now);
      expect(due).toBeGreaterThan(this.since);
      expect(this.now).toBeLessThan(due + expiresAfter * minute);
      // The newest of those that are due together, of which no other follows.
      const newer = this.open().filter(
        (one) => this.dueOf(one) <= this.now && one.given > (response as Response).given,
      );
      expect(newer).toEqual([]);
      expect(push.notification.key.slice(0, 10) >= wallAt(due, this.zone).slice(0, 10)).toBe(true);
    }
    throw new Error('the alarm rings for ever');
  }

  dueOf = ({ given }: Response) => slowDue(this.trigger, given, this.zone);

  /** The responses whose reminders are still to come. */
  open(): Response[] {
    const done = new Set(this.counting().map(responseOfRow));
    return this.responses.filter(
      (one) => !one.deleted && one.fits && !done.has(one.id) && this.dueOf(one) > this.since,
    );
  }

  /** The cursor stands before what comes next. */
  check(hasRung: boolean) {
    const pending = this.next ? [this.next] : [];
    const [next] = this.open().toSorted((a, b) => a.given - b.given || (a.id < b.id ? -1 : 1));
    expect(pending.map((row) => [responseOfRow(row), row.dueAt])).toEqual(
      next ? [[next.id, this.dueOf(next)]] : [],
    );
    if (hasRung) for (const { dueAt } of pending) expect(dueAt).toBeGreaterThan(this.now);
  }

  take(step: Step) {
    const chosen =
      this.responses[
        (step.go === 'delete' || step.go === 'restore' || step.go === 'fit' || step.go === 'unfit'
          ? step.nth
          : 0) % Math.max(1, this.responses.length)
      ];
    this.now += 1;
    if (step.go === 'respond') this.respond(step.late);
    else if (step.go === 'overlap') this.overlap(() => this.respond(step.late));
    else if (step.go === 'answer') this.answer();
    else if (step.go === 'edit') this.edit(step.trigger);
    else if (step.go === 'overlapping-edit') this.overlap(() => this.edit(step.trigger));
    else if (step.go === 'travel') this.zone = step.zone;
    else if (step.go === 'wait' || step.go === 'ring') this.now += step.minutes * minute;
    else if (chosen) {
      if (step.go === 'delete' || step.go === 'restore') chosen.deleted = step.go === 'delete';
      else chosen.fits = step.go === 'fit';
    }
    if (step.go === 'ring') this.ring();
    if (step.go !== 'wait') {
      this.plan();
      this.check(step.go === 'ring');
    }
  }
}

const nameOf = ({ revision, key }: Pick<Notification, 'revision' | 'key'>) => `${revision} ${key}`;
const responseOfRow = ({ key }: Pick<Notification, 'key'>) => responseOf(slotOf(key).trigger ?? '');

const dateGoesBack: Step[] = [
  { go: 'travel', zone: 'Pacific/Kiritimati' },
  { go: 'respond', late: 0 },
  { go: 'ring', minutes: 60 },
  { go: 'travel', zone: 'Europe/Paris' },
  { go: 'respond', late: 0 },
  { go: 'ring', minutes: 0 },
];

/** It is planned before what is just being recorded as skipped or sent. */
const lateReport: Step[] = [
  { go: 'wait', minutes: 60 },
  { go: 'respond', late: 0 },
  { go: 'overlap', late: 30 },
];

/** A reminder that is answered already, and is being pushed, is planned anew. */
const answeredPush: Step[] = [
  { go: 'wait', minutes: 700 },
  { go: 'overlap', late: 0 },
  { go: 'answer' },
  { go: 'overlap', late: 90 },
];

/** A push is under way when the reminders change. */
const changedPush: Step[] = [
  { go: 'respond', late: 0 },
  { go: 'overlapping-edit', trigger: { after: 20 } },
  { go: 'ring', minutes: 20 },
];

/** A reminder that is answered while it waits is not planned again when the reminders change. */
const answeredChange: Step[] = [
  { go: 'respond', late: 0 },
  { go: 'answer' },
  { go: 'edit', trigger: { after: 0, at: '00:00' } },
];

test('after any responses, edits, deletions, travels and changes, each response is reminded of once at most, when it is due', () => {
  fc.assert(
    fc.property(triggers, fc.array(steps, { maxLength: 40 }), (trigger, all) => {
      const participant = new Participant(trigger);
      for (const step of all) participant.take(step);
      expect(new Set(participant.pushed).size).toBe(participant.pushed.length);
    }),
    {
      numRuns: 2000,
      examples: [
        [{ after: 60 }, dateGoesBack],
        [{ after: 0 }, lateReport],
        [{ after: 0 }, answeredPush],
        [{ after: 0 }, changedPush],
        [{ after: 0 }, answeredChange],
      ],
    },
  );
}, 120_000);
