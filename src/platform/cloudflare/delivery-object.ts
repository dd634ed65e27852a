import { DurableObject } from 'cloudflare:workers';
import { attempt } from '../../attempt.ts';
import type { Claim, Poll } from '../../reminders/claim.ts';
import { planAll } from '../../reminders/jobs.ts';
import type { SliceRecord } from '../../reminders/settle.ts';
import type { Bindings } from './bindings.ts';
import { joinSlices } from './joined-slices.ts';
import { servicesOf } from './services.ts';

/**
 * One of the few objects through which the turns of all users reach D1. It stores nothing, so losing one only costs its
 * callers another attempt.
 */
export class DeliveryObject extends DurableObject<Bindings> {
  readonly #services = servicesOf(this.env);
  readonly #slices = joinSlices(this.#services.db, this.#services.now);
  #isPlaceKnown = false;

  async claim(user: string): Promise<Claim> {
    const claimed = await this.#slices.claim(user);
    // A claim whose answer fails would be lost for a minute.
    if (!this.#isPlaceKnown) await attempt(this.#services, 'delivery.place-failed', () => this.#checkPlace());
    return claimed;
  }

  settle(record: SliceRecord, users: readonly string[]): Promise<Poll[]> {
    return this.#slices.settle({ record, users });
  }

  /** Plans what is due of these users, and arms their alarms: with the limits of an invocation of its own. */
  plan(users: string[]): Promise<void> {
    return planAll(this.#services, users);
  }

  /** The name of this object begins with its region, which should be that of the database's primary. */
  async #checkPlace() {
    this.#isPlaceKnown = true;
    const { meta } = await this.env.DB.prepare('select 1').run();
    const name = this.ctx.id.name ?? '';
    const primary = (meta.served_by_region ?? '').toLowerCase();
    if (!name.startsWith(primary))
      this.#services.log({ event: 'delivery.far', object: name, database: primary });
  }
}
