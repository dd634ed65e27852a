import { DurableObject } from 'cloudflare:workers';
import { rootMessage } from '../errors.ts';
import { deliverDue } from '../jobs/deliver-due.ts';
import { type Bindings, createServices } from './cloudflare.ts';

const afterFaultMs = 30_000;

/** Alarms of one minute are spread over so long, by a hash of the user, so that the database meets no herd. */
const spreadMs = 2_000;

/**
 * One object per user. Its alarm says when to look at the user's notifications, and everything is delivered
 * through it, so that no two runs for one user overlap.
 */
export class UserAlarm extends DurableObject<Bindings> {
  readonly #services = createServices(this.env);
  #last: Promise<unknown> = Promise.resolve();

  /** Looks at `at` (epoch ms) at the latest: the earlier of two alarms stays. */
  async arm(user: string, at: number): Promise<void> {
    const now = this.#services.now();
    const current = await this.ctx.storage.getAlarm();
    // One that is long overdue was lost by the platform, and is not trusted.
    if (current !== null && current <= at + spreadOf(user) && current > now - afterFaultMs) return;
    await this.ctx.storage.put('user', user);
    await this.ctx.storage.setAlarm(at + spreadOf(user));
  }

  /** Delivers what is due now and arms the next. */
  async deliver(user: string): Promise<void> {
    const run = this.#last.then(() => this.#deliverAndArm(user));
    this.#last = run.catch(() => {});
    await run;
  }

  /** An exception would be retried for two minutes and then forgotten, so it never leaves this method. */
  override async alarm(): Promise<void> {
    // `ctx.id.name` may be missing in an object that an alarm woke.
    const user = await this.ctx.storage.get<string>('user');
    if (user === undefined) return;
    try {
      await this.deliver(user);
    } catch (error) {
      const { log, now } = this.#services;
      log({ event: 'alarm.failed', error: rootMessage(error) });
      await this.ctx.storage.setAlarm(now() + afterFaultMs);
    }
  }

  async #deliverAndArm(user: string) {
    const next = await deliverDue(this.#services, user);
    if (next !== null) await this.arm(user, next);
  }
}

const spreadOf = (user: string) => Number.parseInt(user.slice(-4), 16) % spreadMs;
