import { nextSlice, purge } from '../model/reminders/maintenance.ts';
import type { Services } from '../services.ts';
import { chunkSize, replanChunk } from './replan.ts';

/** Users whose plans one run checks. */
const sliceSize = 1000;

/**
 * Each hour: walks a slice of the users and repairs each pending row that is not what the plan says, and
 * purges what is past its retention.
 */
export async function reconcile(services: Services): Promise<void> {
  const slice = await nextSlice(services.db, sliceSize, services.now());
  for (let start = 0; start < slice.length; start += chunkSize)
    await replanChunk(services, { users: slice.slice(start, start + chunkSize) });
  await purge(services.db, slice, services.now());
  services.log({ event: 'reconcile', users: slice.length });
}
