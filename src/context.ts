import type { Database } from './db/database.ts';
import type { Limits, LogEntry, PushService, Webhooks } from './services.ts';

/** The first argument of model functions: made once for each request or job. */
export interface Context {
  db: Database;
  /** Epoch ms: the one moment of this request, for all that it does. */
  now: number;
  /** The identifier of the signed-up caller. */
  actor: string;
  /** When the caller signed in, epoch seconds; null if their token does not say. */
  authTime?: number | null;
  limits: Limits;
  push: PushService;
  webhooks?: Webhooks | undefined;
  log: (entry: LogEntry) => void;
  /** Users whose plans this request has changed, and who are planned after it; `many` in `reminders/wake.ts` stands for more. */
  woken: Set<string>;
}
