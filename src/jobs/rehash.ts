import { rehashSlice } from '../model/activity-rehash.ts';
import type { Services } from '../services.ts';

/** Slices of one run: at most 1,000 entries of a log, or a megabyte of them, in each. */
const maxSlices = 100;

/** Rehashes the activity logs that an older version wrote, slice by slice; the next run goes on where this one ends. */
export async function rehashLogs(services: Services): Promise<void> {
  for (let slice = 0; slice < maxSlices; slice++) {
    const done = await rehashSlice({ ...services, now: services.now() });
    if (done === null) return;
    if (done !== 'going-on') services.log({ event: 'log.rehashed', investigation: done.rehashed });
  }
}
