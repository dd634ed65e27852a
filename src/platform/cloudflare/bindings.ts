import type { BoundStatement } from '../../db/database.ts';
import type { Alarms, ReplanChunk, Webhooks } from '../../services.ts';
import type { Answer } from './d1-driver.ts';

/** The interface of a user's object for other objects and requests: the port, for one user. */
export type AlarmObject = Alarms & Rpc.DurableObjectBranded;

/** The interface of a delivery object for users' objects. Both versions meet during a deployment, so it only grows. */
export interface DeliveryBatches extends Rpc.DurableObjectBranded {
  batch(statements: BoundStatement[]): Promise<Answer[]>;
}

/** The interface of a webhook's object. */
export type WebhookObject = Pick<Webhooks, 'goOn'> & Rpc.DurableObjectBranded;

/** The bindings of `wrangler.toml`; settings and secrets are read by `config`. */
export interface Bindings {
  DB: D1Database;
  USER_ALARM: DurableObjectNamespace<AlarmObject>;
  DELIVERY: DurableObjectNamespace<DeliveryBatches>;
  WEBHOOK: DurableObjectNamespace<WebhookObject>;
  REPLAN: Queue<ReplanChunk>;
  USER_RATE: RateLimit;
  ADDRESS_RATE: RateLimit;
  CODE_RATE: RateLimit;
  ENROL_RATE: RateLimit;
  ASSETS: Fetcher;
}
