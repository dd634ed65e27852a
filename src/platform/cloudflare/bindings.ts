import type { Alarms, ReplanChunk } from '../../services.ts';

/** What other objects and requests ask of a user's object: the port, but for one user. */
export type AlarmObject = Alarms & Rpc.DurableObjectBranded;

/** A statement on its way to a delivery object. Versions of both sides meet during a deployment, so it only grows. */
export interface BoundStatement {
  sql: string;
  values: unknown[];
}

/** What drizzle reads of D1's result of a statement. */
export interface Rows {
  results: unknown[];
}

/** What users' objects ask of a delivery object. */
export interface DeliveryBatches extends Rpc.DurableObjectBranded {
  batch(statements: BoundStatement[]): Promise<Rows[]>;
}

/** The bindings of `wrangler.toml`; settings and secrets are read by `config`. */
export interface Bindings {
  DB: D1Database;
  USER_ALARM: DurableObjectNamespace<AlarmObject>;
  DELIVERY: DurableObjectNamespace<DeliveryBatches>;
  REPLAN: Queue<ReplanChunk>;
  USER_RATE: RateLimit;
  ADDRESS_RATE: RateLimit;
  ASSETS: Fetcher;
}
