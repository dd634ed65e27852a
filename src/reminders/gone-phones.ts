import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { each, oneOf } from '../db/json.ts';
import { devices } from '../phones/schema.ts';
import { usersOfSwitched } from '../phones/zone-schema.ts';
import { wakeSelected } from './wake.ts';

/** A device that the relay no longer reaches. `readAt` (epoch ms): a device registered since then stays enabled. */
export interface GonePhone {
  device: string;
  readAt: number;
}

/** The statements that disable phones. Plans of users whose zone is that of another phone from now on are made anew. */
export function disableDevices({ db, now }: Pick<Context, 'db' | 'now'>, gone: readonly GonePhone[]) {
  const ids = oneOf(
    devices.id,
    gone.map(({ device }) => device),
  );
  const [, waiting, woken] = wakeSelected({ db, now }, usersOfSwitched(ids));
  return {
    woken,
    waiting,
    disable: db
      .update(devices)
      .set({ enabled: false, updatedAt: now })
      .from(sql`${each(gone)} g`)
      .where(sql`${devices.id} = g.value ->> 'device' and ${devices.seenAt} <= g.value ->> 'readAt'`),
  };
}
