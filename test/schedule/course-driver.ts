import { comingOf } from '../../src/reminders/dates-change.ts';
import { decide } from '../../src/reminders/decide.ts';
import type { Notification } from '../../src/reminders/notification.ts';
import { finished, type Plan, planNext } from '../../src/reminders/plan.ts';
import { type ReminderRow, toReminders } from '../../src/reminders/state.ts';
import type { Ended } from './trip-oracle.ts';

const [user, survey, investigation] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
];

/** The columns that a course changes. */
export type Course = Pick<ReminderRow, 'dates' | 'participation' | 'course' | 'timeZone'>;

interface Given extends Pick<ReminderRow, 'reminders' | 'joinedOn' | 'startsOn' | 'timeZone'> {
  joinedAt: number;
}

/** One person's reminders of one survey, from the columns that the service reads, with its cursor in the place of the database. */
export class CourseDriver {
  course: Course;
  readonly #given: Given;
  #pending: Notification | null = null;
  #settled: Notification | null = null;
  /** The dates that are settled. */
  readonly ended = new Map<string, Ended>();
  /** When they were pushed, and when they were due. */
  readonly pushed: { at: number; dueAt: number }[] = [];

  constructor(given: Given) {
    this.#given = given;
    this.course = { dates: null, participation: null, course: null, timeZone: given.timeZone };
  }

  get pending(): Notification | null {
    return this.#pending;
  }

  plan(now: number) {
    this.#write(planNext(this.#state(now), now));
  }

  /** The preview of a change. */
  preview(course: Course, now: number): number[] {
    return comingOf(this.#state(now, course), now);
  }

  /** Rings until nothing is due. Returns what was settled. */
  ring(now: number): Ended[] {
    const before = this.ended.size;
    while (this.#pending !== null && this.#pending.nextAttemptAt <= now) {
      const { finish, next, push } = decide(this.#state(now), now);
      const sent = push && finished(push.notification, { state: 'sent', at: now });
      if (sent) this.pushed.push({ at: now, dueAt: sent.dueAt });
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

  #state(now: number, course = this.course) {
    const { joinedAt, ...given } = this.#given;
    const row: ReminderRow = {
      ...{ user, survey, investigation, studyZone: 'UTC', combination: null },
      ...given,
      ...course,
      ...{ member: 1, joinedAt, downloadedAt: joinedAt, downloadedOn: given.joinedOn },
      ...{ for: null, properties: null, blinded: 0, barred: 0 },
      ...{ pausedUntil: 0, activeSince: 0, frozen: 0, archived: 0, revision: 1, remindersSince: 0 },
      ...{ time: null, quietFrom: null, quietTo: null, windowSecret: 'secret', pushed: null },
      ...{ answers: '[]', triggers: '[]', next: textOf(this.#pending), last: textOf(this.#settled) },
    };
    const [state] = toReminders({ db: undefined as never, log: () => {}, now }, [row]);
    if (!state) throw new Error('no state');
    return state;
  }
}

/** As the database has it. */
const textOf = (notification: Notification | null) =>
  notification && JSON.stringify({ ...notification, pushes: null });
