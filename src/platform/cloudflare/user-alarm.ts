import { DurableObject } from 'cloudflare:workers';
import { deliver } from '../../reminders/jobs.ts';
import type { Bindings } from './bindings.ts';
import { slicesOf } from './joined-slices.ts';
import { servicesOf } from './services.ts';
import { UserDeliveries } from './user-deliveries.ts';

/**
 * One object per user. Its alarm says when to read the user's notifications, and all deliveries go through it, so that
 * no two runs for one user overlap. It pushes by itself, since the runtime lets an object have six connections; its
 * turns are claimed and recorded through a delivery object.
 */
export class UserAlarm extends DurableObject<Bindings> {
  readonly #services = servicesOf(this.env);
  readonly #deliveries = new UserDeliveries({
    getAlarm: () => this.ctx.storage.getAlarm(),
    setAlarm: (at, user) => this.#setAlarm(at, user),
    deliver: (user) => this.#deliver(user),
    now: this.#services.now,
    log: this.#services.log,
  });

  arm(user: string, at: number): Promise<void> {
    return this.#deliveries.arm(user, at);
  }

  async deliver(user: string): Promise<void> {
    await this.#deliveries.deliver(user);
    await this.#services.meter.flush();
  }

  override async alarm(): Promise<void> {
    // The name may be missing in an object that an alarm woke.
    const user = this.ctx.id.name ?? (await this.ctx.storage.get<string>('user'));
    if (user === undefined) return;
    await this.#deliveries.alarm(user);
    await this.#services.meter.flush();
  }

  async #setAlarm(at: number, user: string) {
    // A row written costs a thousand times a row read.
    if ((await this.ctx.storage.get('user')) !== user) await this.ctx.storage.put('user', user);
    await this.ctx.storage.setAlarm(at);
  }

  #deliver(user: string) {
    const { deliveryObject, withDeliverySlot, ...services } = this.#services;
    const object = deliveryObject(user);
    const delivering = object ? { ...services, slices: slicesOf(user, object) } : services;
    return withDeliverySlot(() => deliver(delivering, user));
  }
}
