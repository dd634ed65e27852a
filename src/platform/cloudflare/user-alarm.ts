import { DurableObject } from 'cloudflare:workers';
import { rootMessage } from '../../errors.ts';
import { alarmBackoff, rearmedAt } from '../../jobs/alarm-times.ts';
import { deliver } from '../../jobs/deliver.ts';
import { backoffMs } from '../../retry.ts';
import type { Bindings } from './bindings.ts';
import { servicesOf } from './services.ts';

/**
 * One object per user. Its alarm says when to look at the user's notifications, and everything is delivered
 * through it, so that no two runs for one user overlap. It pushes by itself, since the runtime lets an object have six
 * connections; what it reads and writes goes through a delivery object.
 */
export class UserAlarm extends DurableObject<Bindings> {
  readonly #services = servicesOf(this.env);
  #last: Promise<unknown> = Promise.resolve();
  /** Runs in a row that failed. */
  #faults = 0;

  /** Looks at `at` (epoch ms) at the latest: the earlier of two alarms stays. */
  async arm(user: string, at: number): Promise<void> {
    const current = await this.ctx.storage.getAlarm();
    const wanted = rearmedAt(user, at, current, this.#services.now());
    if (wanted === null) return;
    // A row written costs a thousand times one that is read.
    if ((await this.ctx.storage.get('user')) !== user) await this.ctx.storage.put('user', user);
    await this.ctx.storage.setAlarm(wanted);
  }

  /** Delivers what is due now and arms the next. */
  async deliver(user: string): Promise<void> {
    const run = this.#last.then(() => this.#deliverAndArm(user));
    this.#last = run.catch(() => {});
    await run;
  }

  /** An exception would be retried for two minutes and then forgotten, so it never leaves this method. */
  override async alarm(): Promise<void> {
    // The name may be missing in an object that an alarm woke.
    const user = this.ctx.id.name ?? (await this.ctx.storage.get<string>('user'));
    if (user === undefined) return;
    try {
      await this.deliver(user);
      this.#faults = 0;
    } catch (error) {
      const { log, now } = this.#services;
      this.#faults++;
      log({ event: 'alarm.failed', error: rootMessage(error), faults: this.#faults });
      await this.ctx.storage.setAlarm(now() + backoffMs(this.#faults, alarmBackoff));
    }
  }

  async #deliverAndArm(user: string) {
    const { deliveryDatabase, withTurn, ...services } = this.#services;
    const next = await withTurn(() => deliver({ ...services, db: deliveryDatabase(user) }, user));
    if (next !== null) await this.arm(user, next);
    await this.#services.meter.flush();
  }
}
