import type { Alarms, ReplanChunk } from '../../services.ts';

/** What other objects and requests ask of a user's object: the port, but for one user. */
export type AlarmObject = Alarms & Rpc.DurableObjectBranded;

/** The bindings of `wrangler.toml`; settings and secrets are read by `config`. */
export interface Bindings {
  DB: D1Database;
  USER_ALARM: DurableObjectNamespace<AlarmObject>;
  REPLAN: Queue<ReplanChunk>;
  USER_RATE: RateLimit;
  ADDRESS_RATE: RateLimit;
  ASSETS: Fetcher;
}
