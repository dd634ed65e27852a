import { rootMessage } from '../../errors.ts';
import { alarmBackoff, rearmedAt } from '../../reminders/alarm-times.ts';
import { backoffMs } from '../../retry.ts';
import type { LogEntry } from '../../services.ts';

/** The platform of a user's object: its one durable alarm, and a run of the user's delivery. */
export interface UserPlatform {
  getAlarm(): Promise<number | null>;
  setAlarm(at: number, user: string): Promise<void>;
  /** Resolves with the time of the next delivery (epoch ms), or null. */
  deliver(user: string): Promise<number | null>;
  now(): number;
  log(entry: LogEntry): void;
}

/** The deliveries of one user: one at a time, and an alarm for the next. */
export class UserDeliveries {
  readonly #platform: UserPlatform;
  #last: Promise<unknown> = Promise.resolve();
  /** Consecutive failed runs. */
  #faults = 0;

  constructor(platform: UserPlatform) {
    this.#platform = platform;
  }

  /** Delivers at `at` (epoch ms) at the latest: the earlier of two alarms stays. */
  async arm(user: string, at: number): Promise<void> {
    const current = await this.#platform.getAlarm();
    const wanted = rearmedAt(user, at, current, this.#platform.now());
    if (wanted !== null) await this.#platform.setAlarm(wanted, user);
  }

  /** Delivers due reminders now and arms the next alarm. */
  async deliver(user: string): Promise<void> {
    const run = this.#last.then(() => this.#deliverAndArm(user));
    this.#last = run.catch(() => {});
    await run;
  }

  /** Handles an alarm. An exception would be retried for two minutes and then forgotten, so none leaves this method. */
  async alarm(user: string): Promise<void> {
    try {
      await this.deliver(user);
      this.#faults = 0;
    } catch (error) {
      const { log, now } = this.#platform;
      this.#faults++;
      log({ event: 'alarm.failed', error: rootMessage(error), faults: this.#faults });
      await this.#platform.setAlarm(now() + backoffMs(this.#faults, alarmBackoff), user);
    }
  }

  async #deliverAndArm(user: string) {
    const next = await this.#platform.deliver(user);
    if (next !== null) await this.arm(user, next);
  }
}
