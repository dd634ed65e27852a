import { newIdentifier } from '../identifiers.ts';
import type { ReplanChunk, Services } from '../services.ts';
import { deadLetters } from './schema.ts';

/** Stores a chunk that the queue gave up on. It is counted and can be replayed; the hourly reconcile repairs it anyway. */
export async function keepDeadLetter({ db, now, log }: Services, { users }: ReplanChunk): Promise<void> {
  const at = now();
  await db.insert(deadLetters).values({ id: newIdentifier(at), users, at });
  log({ event: 'replan.dead-letter', level: 'error', users: users.length });
}
