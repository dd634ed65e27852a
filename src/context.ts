import type { Database } from './db/database.ts';
import type { Limits, LogEntry, Push, ReplanJob } from './services.ts';

/** What model functions work with: made once for each request or job. */
export interface Context {
  db: Database;
  /** Epoch ms: the one moment at which everything in this request happens. */
  now: number;
  /** The identifier of the signed-up caller. */
  actor: string;
  /** When the caller signed in, epoch seconds; null when their token does not say. */
  authTime?: number | null;
  limits: Limits;
  push: Push;
  log: (entry: LogEntry) => void;
  /** Outbox rows that this request has written. `jobs/outbox` starts them once, after the write. */
  outbox: ReplanJob[];
}
