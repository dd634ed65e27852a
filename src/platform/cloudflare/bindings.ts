import type { Claim, Poll } from '../../reminders/claim.ts';
import type { SliceRecord } from '../../reminders/settle.ts';
import type { Alarms, Webhooks } from '../../services.ts';

/** The interface of a user's object for other objects and requests: the port, for one user. */
export type AlarmObject = Pick<Alarms, 'arm' | 'deliver'> & Rpc.DurableObjectBranded;

/** The interface of a delivery object for users' objects. Both versions meet during a deployment, so it only grows. */
export interface DeliveryTurns extends Rpc.DurableObjectBranded {
  claim(user: string): Promise<Claim>;
  settle(record: SliceRecord, users: readonly string[]): Promise<Poll[]>;
  plan(users: string[]): Promise<void>;
}

/** The interface of a webhook's object. */
export type WebhookObject = Pick<Webhooks, 'goOn'> & Rpc.DurableObjectBranded;

/** The bindings of `wrangler.toml`; settings and secrets are read by `config`. */
export interface Bindings {
  DB: D1Database;
  USER_ALARM: DurableObjectNamespace<AlarmObject>;
  DELIVERY: DurableObjectNamespace<DeliveryTurns>;
  WEBHOOK: DurableObjectNamespace<WebhookObject>;
  USER_RATE: RateLimit;
  ADDRESS_RATE: RateLimit;
  CODE_RATE: RateLimit;
  ENROL_RATE: RateLimit;
  ASSETS: Fetcher;
}
