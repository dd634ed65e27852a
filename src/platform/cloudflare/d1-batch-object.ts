import { DurableObject } from 'cloudflare:workers';
import type { BoundStatement } from '../../db/database.ts';
import type { Bindings } from './bindings.ts';
import type { Answer } from './d1-driver.ts';
import { joinDeliveries } from './delivery-batches.ts';
import { servicesOf } from './services.ts';

/**
 * One of the few objects through which the deliveries of all users reach D1: concurrent requests become one batch. It
 * stores nothing, so losing one only costs its callers another attempt.
 */
export class D1BatchObject extends DurableObject<Bindings> {
  readonly #join = joinDeliveries((statements) => this.#run(statements));
  #placeKnown = false;

  /** One transaction, perhaps joined with those of other callers. It may run twice. */
  batch(statements: BoundStatement[]): Promise<Answer[]> {
    return this.#join(statements);
  }

  async #run(statements: readonly BoundStatement[]): Promise<Answer[]> {
    const { DB } = this.env;
    const answers = await DB.batch<object>(
      statements.map(({ sql, values }) => DB.prepare(sql).bind(...values)),
    );
    if (!this.#placeKnown) this.#checkPlace(answers[0]?.meta.served_by_region);
    return answers.map(({ results }) => ({ results }));
  }

  /** `region`: the region of the database's primary, according to D1. The name of this object begins with its own. */
  #checkPlace(region = '') {
    const [name, primary] = [this.ctx.id.name ?? '', region.toLowerCase()];
    this.#placeKnown = true;
    if (!name.startsWith(primary))
      servicesOf(this.env).log({ event: 'delivery.far', object: name, database: primary });
  }
}
