import { type Place, readWakes } from '../model/reminders/due.ts';
import type { Services } from '../services.ts';

export type { Place };

/** Before every notification. */
export const beginning: Place = { at: Number.MIN_SAFE_INTEGER, user: '' };

/** Users to deliver to now, at most `limit`, and when the next one is due; for runtimes without an alarm per user. */
export const wake = ({ db, now }: Pick<Services, 'db' | 'now'>, after: Place, limit: number) =>
  readWakes(db, after, { now: now(), limit });
