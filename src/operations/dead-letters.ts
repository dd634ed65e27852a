import { insertDeadLetter } from '../reminders/outbox.ts';
import type { ReplanChunk, Services } from '../services.ts';

/** Stores a chunk that the queue gave up on. It is counted and can be replayed; the hourly reconcile repairs it anyway. */
export async function keepDeadLetter(services: Services, { users }: ReplanChunk): Promise<void> {
  await insertDeadLetter({ ...services, now: services.now() }, users);
  services.log({ event: 'replan.dead-letter', level: 'error', users: users.length });
}
