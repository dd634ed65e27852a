import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { devices } from '../db/schema/users.ts';
import { notFound } from '../errors.ts';
import type { Context } from './context.ts';
import { relayUnavailable, removeEndpoints } from './device-endpoints.ts';
import { noteLeaving } from './leaving-endpoints.ts';
import { noteRemoval } from './relay-changes.ts';
import { replanSelected } from './reminders/outbox.ts';

/** Deletes a device, also at the relay. @throws resource.not-found, relay.unavailable (and nothing changes) */
export async function deleteDevice(context: Context, id: string): Promise<void> {
  const { db, actor, outbox } = context;
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  const [noted] = await noteRemoval(context, own);
  if (!noted) throw notFound('device');
  if (!(await removeEndpoints(context, [noted], actor))) throw relayUnavailable();
  const [, jobs, , gone] = await db.batch([
    ...replanSelected(context, sql`select user_id from device where ${own}`),
    noteLeaving(context, and(own, ne(devices.endpoint, noted.endpoint)) as SQL),
    db.delete(devices).where(own).returning({ endpoint: devices.endpoint }),
  ]);
  outbox.push(...jobs);
  if (gone.length === 0) throw notFound('device');
  // The phone may have been registered meanwhile, and given another endpoint.
  await removeEndpoints(
    context,
    gone.filter(({ endpoint }) => endpoint !== noted.endpoint),
  );
}
