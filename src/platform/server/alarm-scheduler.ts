import pLimit from 'p-limit';
import { rootMessage } from '../../errors.ts';
import { deliver } from '../../reminders/deliver.ts';
import { beginning, type Cursor, selectDueUsers } from '../../reminders/due.ts';
import { canRecord } from '../../reminders/writes.ts';
import { backoffMs } from '../../retry.ts';
import type { Alarms, Services } from '../../services.ts';

/**
 * Deliveries under way at once: the most pushes that are not yet recorded when the process is killed. Enough for four
 * joined batches, so that some push while others are read or recorded.
 */
const maxConcurrentDeliveries = 256;

/** Users handed over at a time. The next ones are read when at most this many wait. */
const pageSize = 500;

/** The longest timer: the clock may be set and the machine may sleep. Each timer costs one query. */
const maxWaitMs = 60_000;

/** Delay before the clocks are compared, and the database is tried, again. */
const waitMs = 5_000;

const backoff = { baseMs: 5_000, maxMs: 5 * 60_000 };

/** Runs the work after a delay in ms; returns a function that cancels it. */
export type Timer = (ms: number, work: () => Promise<void>) => () => void;

const timerOfRuntime: Timer = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/**
 * The alarms of all users as one timer, for the earliest pending notification. The database is the truth: due
 * notifications are read from it in order, each position once, so that a row which no delivery settles is not handed over
 * again and again (the sweep handles it). No state outlives a restart, which reads from the beginning.
 */
export class AlarmScheduler implements Alarms {
  readonly #services: () => Services;
  readonly #deliver: typeof deliver;
  readonly #after: Timer;
  readonly #limit = pLimit(maxConcurrentDeliveries);
  /** One run at a time for each user, and at most one that waits, which will see everything due. */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #failed = new Map<string, { attempts: number; at: number }>();
  #cursor: Cursor = beginning;
  /** The earliest moment that was armed since the last read began. */
  #armedAt = Number.POSITIVE_INFINITY;
  #clearTimer = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  #reading = false;
  #faults = 0;
  #stopped = true;

  /** A simulation injects its own timer, and sees each delivery. */
  constructor(services: () => Services, after = timerOfRuntime, deliverTo = deliver) {
    this.#services = services;
    this.#after = after;
    this.#deliver = deliverTo;
  }

  start(): void {
    this.#stopped = false;
    this.#wakeAt(this.#services().now());
  }

  /** Begins no more work; resolves when work under way is recorded. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#clearTimer();
    await Promise.allSettled([...this.#running.values(), ...this.#waiting.values()]);
  }

  async arm(_user: string, at: number): Promise<void> {
    this.#armedAt = Math.min(this.#armedAt, at);
    this.#readAgainFrom(at);
    this.#wakeAt(at);
  }

  /** For a notification that was planned for a moment that was read already (the clock was set back, say). */
  #readAgainFrom(at: number) {
    if (at <= this.#cursor.at) this.#cursor = { at: at - 1, user: '' };
  }

  deliver(user: string): Promise<void> {
    const waiting = this.#waiting.get(user);
    if (waiting) return waiting;
    const earlier = this.#running.get(user) ?? Promise.resolve();
    const run = earlier.then(() => this.#limit(() => this.#run(user)));
    this.#waiting.set(user, run);
    return run;
  }

  async #run(user: string) {
    this.#waiting.delete(user);
    if (this.#stopped) return;
    const work = this.#deliverAndArm(user);
    this.#running.set(
      user,
      work.catch(() => {}),
    );
    try {
      await work;
    } finally {
      this.#running.delete(user);
    }
  }

  async #deliverAndArm(user: string) {
    if (await this.#mustWait()) {
      // It may have a push without a record, and by then nothing that is due.
      const failed = this.#failed.get(user);
      if (failed) failed.at = this.#services().now() + waitMs;
      return;
    }
    const next = await this.#deliver(this.#services(), user);
    this.#failed.delete(user);
    if (next !== null) await this.arm(user, next);
  }

  #wakeAt(at: number) {
    if (this.#stopped || at >= this.#timerAt) return;
    this.#timerAt = at;
    if (this.#reading) return;
    this.#clearTimer();
    const wait = Math.min(Math.max(at - this.#services().now(), 0), maxWaitMs);
    this.#clearTimer = this.#after(wait, () => this.#wake());
  }

  async #wake() {
    const { now, log } = this.#services();
    this.#reading = true;
    this.#timerAt = Number.POSITIVE_INFINITY;
    let next: number;
    try {
      next = Math.min((await this.#handOver()) ?? Number.POSITIVE_INFINITY, now() + maxWaitMs);
      for (const { at } of this.#failed.values()) next = Math.min(next, at);
      this.#faults = 0;
    } catch (error) {
      this.#faults += 1;
      log({ event: 'alarms.failed', error: rootMessage(error) });
      next = now() + backoffMs(this.#faults, backoff);
    }
    this.#reading = false;
    next = Math.min(next, this.#timerAt);
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#wakeAt(next);
  }

  /** Hands over due users, page by page; returns when to look again. */
  async #handOver(): Promise<number | null> {
    const { db, now } = this.#services();
    this.#attemptFailed(now());
    while (!this.#stopped) {
      if (await this.#mustWait()) return null;
      const after = this.#cursor;
      this.#armedAt = Number.POSITIVE_INFINITY;
      const { due, next } = await selectDueUsers({ db, now: now() }, after, pageSize);
      // Not if `arm` moved the cursor meanwhile: then the next look begins there.
      if (this.#cursor === after) this.#cursor = due.at(-1) ?? after;
      // The plan may have been stored after the read.
      this.#readAgainFrom(this.#armedAt);
      for (const { user } of due) this.#attempt(user);
      if (due.length < pageSize) return next;
      while (this.#waiting.size > pageSize)
        await new Promise<void>((resolve) => this.#after(10, async () => resolve()));
    }
    return null;
  }

  /** By a wrong clock, or without a record, nothing is delivered: afterwards everything due is read again. */
  async #mustWait(): Promise<boolean> {
    const services = this.#services();
    if (services.clockAgrees?.() !== false && (await canRecord(services))) return false;
    this.#cursor = beginning;
    this.#wakeAt(services.now() + waitMs);
    return true;
  }

  #attemptFailed(now: number) {
    for (const [user, { attempts, at }] of this.#failed) {
      if (at > now) continue;
      this.#failed.set(user, { attempts, at: Number.POSITIVE_INFINITY });
      this.#attempt(user);
    }
  }

  #attempt(user: string) {
    this.deliver(user).catch((error) => {
      const { log, now } = this.#services();
      const attempts = (this.#failed.get(user)?.attempts ?? 0) + 1;
      const at = now() + backoffMs(attempts, backoff);
      log({ event: 'alarm.failed', attempts, error: rootMessage(error) });
      this.#failed.set(user, { attempts, at });
      this.#wakeAt(at);
    });
  }
}
