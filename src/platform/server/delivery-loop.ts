import { isSharedFault } from '../../db/errors.ts';
import { rootMessage } from '../../errors.ts';
import { selectNextPoll } from '../../reminders/claim.ts';
import { deliverSlice } from '../../reminders/deliver.ts';
import { backoffMs } from '../../retry.ts';
import type { Alarms, Services } from '../../services.ts';

/** Cursors of one turn. */
const setSize = 200;

/** Cursors under way at once: some turns push while others are claimed or recorded. It is the most that a crash can repeat. */
const maxUnderWay = 4 * setSize;

/** The longest timer: the clock may be set and the machine may sleep. Each timer costs one query. */
const maxWaitMs = 60_000;

/** A claim that found nothing is not made again earlier. */
const idleMs = 100;

/** Delay before another claim of a user whose cursors cannot be claimed. */
const refusedMs = 60_000;

/** Delay before the clocks are compared again. */
const clockWaitMs = 5_000;

const backoff = { baseMs: 5_000, maxMs: 5 * 60_000 };

/** Runs the work after a delay in ms; returns a function that cancels it. */
export type Timer = (ms: number, work: () => Promise<void>) => () => void;

const timerOfRuntime: Timer = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/**
 * The one loop of a process that plans and delivers: one timer, for the earliest cursor of all; then sets of due cursors,
 * the earliest first, some turns at a time. Claims are made one after another. The database is the truth, so that nothing is
 * lost with the process.
 */
export class DeliveryLoop implements Alarms {
  readonly #services: () => Services;
  readonly #after: Timer;
  readonly #running = new Set<Promise<void>>();
  /** Users of turns under way. */
  readonly #busy = new Set<string>();
  /** Users whose cursors could not be claimed, and until when they wait (epoch ms). */
  readonly #refused = new Map<string, number>();
  #underWay = 0;
  /** A claim is under way, whose users are not known yet. */
  #isClaiming = false;
  /** Fewer after a claim that failed, to find whose cursors were at fault. */
  #setSize = setSize;
  #clearTimer = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  #faults = 0;
  #stopped = true;

  /** A simulation injects its own timer. */
  constructor(services: () => Services, after = timerOfRuntime) {
    this.#services = services;
    this.#after = after;
  }

  start(): void {
    this.#stopped = false;
    this.#wakeAt(this.#services().now());
  }

  /** Begins no more turns; resolves when those under way are recorded. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#clearTimer();
    this.#timerAt = Number.POSITIVE_INFINITY;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async arm(_user: string, at: number): Promise<void> {
    this.#wakeAt(at);
  }

  /** Delivers everything that is due, the user's among it. */
  async deliver(): Promise<void> {
    this.#wakeAt(this.#services().now());
  }

  #wakeAt(at: number) {
    const now = this.#services().now();
    // The time of a timer is over before it fires if the clock was set, or the machine has slept.
    if (this.#stopped || (at >= this.#timerAt && now < this.#timerAt)) return;
    this.#timerAt = Math.min(at, this.#timerAt);
    this.#clearTimer();
    const wait = Math.min(Math.max(this.#timerAt - now, 0), maxWaitMs);
    this.#clearTimer = this.#after(wait, async () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      await this.#begin();
    });
  }

  /** Begins a turn, unless a claim or enough turns are under way: after each the timer is set again. */
  async #begin() {
    if (this.#stopped || this.#isClaiming || this.#underWay > maxUnderWay - setSize) return;
    const { clockAgrees, now } = this.#services();
    // By a wrong clock nothing is delivered.
    if (clockAgrees?.() === false) {
      this.#wakeAt(now() + clockWaitMs);
      return;
    }
    this.#isClaiming = true;
    const run = this.#deliverSlice().finally(() => this.#running.delete(run));
    this.#running.add(run);
    await run;
  }

  async #deliverSlice() {
    let claimed: string[] | undefined;
    let timing: Promise<void> | undefined;
    try {
      await deliverSlice(this.#services(), { limit: this.#setSize, except: this.#excepted() }, (users) => {
        claimed = users;
        timing = this.#noteClaimed(users);
      });
      this.#faults = 0;
    } catch (error) {
      if (claimed === undefined) await this.#noteRefused(error);
      else this.#noteFault(error);
    }
    for (const user of claimed ?? []) this.#busy.delete(user);
    this.#underWay -= claimed?.length ?? 0;
    await timing;
    if (claimed !== undefined) await this.#setTimer(claimed.length === 0 ? idleMs : 0);
  }

  async #noteClaimed(users: readonly string[]) {
    this.#isClaiming = false;
    this.#setSize = setSize;
    this.#underWay += users.length;
    for (const user of users) this.#busy.add(user);
    // Others do not wait for these pushes.
    if (users.length > 0) await this.#setTimer(0);
  }

  /** Sets the timer for the earliest cursor that can be claimed, after `waitMs` or later. */
  async #setTimer(waitMs: number) {
    const { db, now } = this.#services();
    try {
      const next = await selectNextPoll(db, this.#excepted());
      if (next) this.#wakeAt(Math.max(next.at, now() + waitMs));
    } catch (error) {
      this.#noteFault(error);
    }
    this.#wakeAt(Math.min(now() + maxWaitMs, ...this.#refused.values()));
  }

  /** A claim has failed: smaller ones find the user whose cursors are at fault, who is put off. */
  async #noteRefused(error: unknown) {
    const { db, now } = this.#services();
    this.#isClaiming = false;
    if (isSharedFault(error)) return this.#noteFault(error);
    if (this.#setSize > 1) {
      this.#setSize >>= 1;
      return this.#wakeAt(now());
    }
    this.#setSize = setSize;
    const first = await selectNextPoll(db, this.#excepted()).catch(() => null);
    if (first) this.#refused.set(first.user, now() + refusedMs);
    this.#noteFault(error);
  }

  #noteFault(error: unknown) {
    const { log, now } = this.#services();
    this.#faults += 1;
    log({ event: 'delivery.failed', faults: this.#faults, error: rootMessage(error) });
    this.#wakeAt(now() + backoffMs(this.#faults, backoff));
  }

  /** Users whose cursors are not claimed now. */
  #excepted(): string[] {
    const now = this.#services().now();
    for (const [user, until] of this.#refused) if (until <= now) this.#refused.delete(user);
    return [...this.#busy, ...this.#refused.keys()];
  }
}
