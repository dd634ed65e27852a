import { openUpgrade, saveUpgrade, selectAffectedUsers } from '../model/reminders/zone-upgrade.ts';
import type { Services } from '../services.ts';
import { chunkSize } from './replan.ts';

/** Pending notifications that a page looks at, and pages of one run; the rest waits for the next minute. */
const pageSize = 1000;
const maxPages = 40;

/**
 * After an upgrade of the zone rules: hands users with a pending notification in a changed zone to the queue, in chunks,
 * page by page. After a crash the next run repeats one page, and planning again changes nothing.
 */
export async function replanZones(services: Services): Promise<void> {
  const context = () => ({ ...services, now: services.now() });
  const opened = await openUpgrade(context());
  let upgrade = opened;
  let handedOver = 0;
  for (let page = 0; upgrade && page < maxPages; page++) {
    const { users, last } = await selectAffectedUsers(context(), upgrade, pageSize);
    for (let start = 0; start < users.length; start += chunkSize)
      await services.queue.send({ users: users.slice(start, start + chunkSize) });
    handedOver += users.length;
    upgrade = await saveUpgrade(context(), upgrade, last);
  }
  if (opened && handedOver > 0)
    services.log({
      event: 'zones',
      release: opened.release,
      zones: opened.zones.length,
      confirming: opened.confirming,
      users: handedOver,
      more: upgrade !== null,
    });
}
