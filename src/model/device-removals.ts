import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { devices } from '../db/schema/users.ts';
import { notFound } from '../errors.ts';
import type { Context } from './context.ts';
import { relayUnavailable, removeEndpoints } from './device-endpoints.ts';
import { forgetLeaving, type LeavingEndpoint, noteLeaving, postponeLeaving } from './leaving-endpoints.ts';
import { type Mending, noteRegistration, noteRemoval, registerAgain } from './relay-changes.ts';
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

/**
 * Removes an endpoint that was given up from the relay, unless a device has it by now, and forgets it when a later run
 * finds it gone: a phone may have been given it just before, and be stored just after.
 */
export async function mendLeaving(context: Mending, leaving: LeavingEndpoint): Promise<void> {
  const { db, push } = context;
  const { endpoint } = leaving;
  const [device] = await db
    .select()
    .from(devices)
    .where(eq(devices.endpoint, endpoint))
    .orderBy(desc(devices.enabled))
    .limit(1);
  const { state } = await push.check({ endpoint, token: device?.token ?? '' });
  const isOver = device ? device.relayChangeAt === null && state !== 'unavailable' : state === 'missing';
  if (device && isOver && (state === 'missing' || state === 'other'))
    for (const hit of await noteRegistration(context, eq(devices.endpoint, endpoint)))
      await registerAgain(context, hit);
  if (!device && !isOver && state !== 'unavailable') await removeEndpoints(context, [leaving]);
  await (isOver ? forgetLeaving(context, leaving) : postponeLeaving(context, leaving));
}
