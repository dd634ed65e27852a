import { rootMessage } from '../../errors.ts';
import { type Books, sharedBooks } from '../../jobs/books.ts';
import { deliverDue } from '../../jobs/deliver.ts';
import { retryAt } from '../../jobs/retry.ts';
import { beginning, type Place, wake } from '../../jobs/wake.ts';
import type { Alarms, Services } from '../../services.ts';
import { slots } from './slots.ts';

/** Deliveries under way at once, whatever asks for them: what a crash may find pushed and not yet recorded. */
const atOnce = 128;

/** Users handed over at a time; the next ones are read when no more than so many wait. */
const pageSize = 500;

/** A timer is never trusted for longer: the clock may be set and the machine may sleep. It costs one query. */
const longestWaitMs = 60_000;

/**
 * The alarms of all users as one timer, for the earliest pending notification. The database is the truth: what is due
 * is read from it in order, each place once, so that a row which no delivery settles is not handed over again and again
 * (the sweep takes care of it). Nothing is to be kept over a restart, after which the reading begins at the beginning.
 */
export class Timers implements Alarms {
  readonly #services: () => Services;
  readonly #inSlot = slots(atOnce);
  #books: Books | undefined;
  /** One run at a time for each user, and at most one that waits: it will see all that is due. */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #failed = new Map<string, { attempts: number; at: number }>();
  #handedOver: Place = beginning;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #looking = false;
  #faults = 0;
  #stopped = true;

  constructor(services: () => Services) {
    this.#services = services;
  }

  start(): void {
    this.#stopped = false;
    this.#lookAt(this.#services().now());
  }

  /** Begins nothing more; resolves when what is under way is settled. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled([...this.#running.values(), ...this.#waiting.values()]);
  }

  async arm(_user: string, at: number): Promise<void> {
    // Planned for a moment that was read already (the clock was set back, say): it is read again from there.
    if (at <= this.#handedOver.at) this.#handedOver = { at: at - 1, user: '' };
    this.#lookAt(at);
  }

  deliver(user: string): Promise<void> {
    const waiting = this.#waiting.get(user);
    if (waiting) return waiting;
    const run = this.#behind(user).then(() => this.#inSlot(() => this.#begin(user)));
    this.#waiting.set(user, run);
    return run;
  }

  async #behind(user: string) {
    await this.#running.get(user);
  }

  async #begin(user: string) {
    this.#waiting.delete(user);
    if (this.#stopped) return;
    const work = this.#deliverAndArm(user);
    const settled = work.catch(() => {});
    this.#running.set(user, settled);
    try {
      await work;
    } finally {
      this.#running.delete(user);
    }
  }

  async #deliverAndArm(user: string) {
    const services = this.#services();
    this.#books ??= sharedBooks(services, {
      underWay: this.#running,
      next: () => this.#waiting.keys().take(atOnce),
    });
    const next = await deliverDue(services, user, this.#books);
    this.#failed.delete(user);
    if (next !== null) await this.arm(user, next);
  }

  #lookAt(at: number) {
    if (this.#stopped || at >= this.#timerAt) return;
    this.#timerAt = at;
    if (this.#looking) return;
    clearTimeout(this.#timer);
    const wait = Math.min(Math.max(at - this.#services().now(), 0), longestWaitMs);
    this.#timer = setTimeout(() => this.#look(), wait);
  }

  async #look() {
    const { now, log } = this.#services();
    this.#looking = true;
    this.#timerAt = Number.POSITIVE_INFINITY;
    let next: number;
    try {
      next = Math.min((await this.#handOver()) ?? Number.POSITIVE_INFINITY, now() + longestWaitMs);
      for (const { at } of this.#failed.values()) next = Math.min(next, at);
      this.#faults = 0;
    } catch (error) {
      this.#faults += 1;
      log({ event: 'timers.failed', error: rootMessage(error) });
      next = retryAt(now(), this.#faults, Number.POSITIVE_INFINITY);
    }
    this.#looking = false;
    next = Math.min(next, this.#timerAt);
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#lookAt(next);
  }

  /** Hands over what is due, page by page; returns when to look again. */
  async #handOver(): Promise<number | null> {
    const services = this.#services();
    this.#attemptFailed(services.now());
    while (!this.#stopped) {
      const after = this.#handedOver;
      const { due, next } = await wake(services, after, pageSize);
      // Not when `arm` moved it meanwhile: then the next look begins there.
      if (this.#handedOver === after) this.#handedOver = due.at(-1) ?? after;
      for (const { user } of due) this.#attempt(user);
      if (due.length < pageSize) return next;
      while (this.#waiting.size > pageSize) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return null;
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
      const at = retryAt(now(), attempts, Number.POSITIVE_INFINITY);
      log({ event: 'alarm.failed', attempts, error: rootMessage(error) });
      this.#failed.set(user, { attempts, at });
      this.#lookAt(at);
    });
  }
}
