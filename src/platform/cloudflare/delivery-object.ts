import { DurableObject } from 'cloudflare:workers';
import { bytesOf, isRead } from '../../db/coalesce.ts';
import { joinBatches } from '../../db/join-batches.ts';
import type { Bindings, BoundStatement, Rows } from './bindings.ts';
import { servicesOf } from './services.ts';

/** A delivery that comes alone waits for so long in vain. */
const maxWaitMs = 5;

/** Deliveries that wait to begin: more are refused, and their alarms ring again later. About 10 KB of memory each. */
const maxWaitingReads = 1_000;

/**
 * One of the few objects through which the deliveries of all users reach D1: what they ask for at the same time becomes
 * one batch. It keeps nothing, so one that is lost costs no more than its callers' next attempt. One batch of reads and one
 * of writes are under way at a time; reads that have to wait for writes keep few pushes unrecorded.
 */
export class DeliveryObject extends DurableObject<Bindings> {
  readonly #reads = joinBatches(this.#run.bind(this), {
    maxWaitMs,
    maxConcurrent: 1,
    maxWaiting: maxWaitingReads,
  });
  readonly #writes = joinBatches(this.#run.bind(this), { maxWaitMs, maxConcurrent: 1 });
  #placeKnown = false;

  /** One transaction, maybe together with others'. It may happen twice. */
  batch(statements: BoundStatement[]): Promise<Rows[]> {
    const bytes = statements.reduce((sum, { sql, values }) => sum + bytesOf(sql, values), 0);
    const join = statements.every(({ sql }) => isRead(sql)) ? this.#reads : this.#writes;
    return join(statements, bytes);
  }

  async #run(statements: readonly BoundStatement[]): Promise<Rows[]> {
    const { DB } = this.env;
    const answers = await DB.batch(statements.map(({ sql, values }) => DB.prepare(sql).bind(...values)));
    if (!this.#placeKnown) this.#checkPlace(answers[0]?.meta.served_by_region);
    return answers.map(({ results }) => ({ results }));
  }

  /** `region`: of the database's primary, as D1 says. The name of this object begins with its own. */
  #checkPlace(region = '') {
    const [name, primary] = [this.ctx.id.name ?? '', region.toLowerCase()];
    this.#placeKnown = true;
    if (!name.startsWith(primary))
      servicesOf(this.env).log({ event: 'delivery.far', object: name, database: primary });
  }
}
