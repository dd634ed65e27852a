import { and, eq, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { attempt } from '../attempt.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { oneOf } from '../db/json.ts';
import { planWoken } from '../reminders/jobs.ts';
import { noteWoken, wakeSelected } from '../reminders/wake.ts';
import type { Services } from '../services.ts';
import { devices } from './schema.ts';
import {
  isAsRead,
  isOwned,
  type Phone,
  registered,
  release,
  releaseEndpoints,
  suspend,
  take,
} from './statements.ts';

export type Syncing = Pick<Context, 'db' | 'push' | 'now' | 'log' | 'woken'>;

/** Phones per sweep; the rest waits for the next minute. */
const maxPhones = 50;

/** Phones that have differed from the relay since before `before`, the oldest first. */
export const selectUnsynced = (db: Database, before: number) =>
  db
    .select()
    .from(devices)
    .where(and(isNotNull(devices.changedAt), lt(devices.changedAt, before)))
    .orderBy(devices.changedAt)
    .limit(maxPhones);

/**
 * Makes the relay match the row, whatever it has now: an enabled endpoint with the token for a user's phone, no endpoint
 * for a phone without an owner. A row that a request has changed since the read stays as it is. False while the relay
 * cannot be reached: the row waits for a later sweep.
 */
export async function syncPhone(context: Syncing, phone: Phone): Promise<boolean> {
  const isDone = phone.userId === null ? await syncReleased(context, phone) : await syncOwned(context, phone);
  if (!isDone) await context.db.update(devices).set({ changedAt: context.now }).where(isAsRead(phone));
  return isDone;
}

/** Syncs phones in parallel, so that a slow relay delays the sweep only once. A phone that fails waits for the next sweep. */
export async function syncPhones(services: Services, phones: readonly Phone[]): Promise<void> {
  await Promise.all(
    phones.map((phone) =>
      attempt(services, 'sweep.device-failed', async () => {
        const woken = new Set<string>();
        await syncPhone({ ...services, now: services.now(), woken }, phone);
        await planWoken(services, woken);
      }),
    ),
  );
}

async function syncOwned(context: Syncing, phone: Phone): Promise<boolean> {
  const { db, push, now, log } = context;
  const asRead = isAsRead(phone);
  if (phone.status === 'leaving') {
    const isGone = await removeEndpoints(context, [phone], phone.userId);
    if (isGone) await releaseForGood(context, asRead);
    return isGone;
  }
  const registration = await push.register(phone);
  if (registration.state === 'unavailable') {
    log({ event: 'relay.unavailable', doing: 'register', error: registration.error });
    return false;
  }
  if (registration.state === 'refused') {
    await db.update(devices).set({ enabled: false, changedAt: null, updatedAt: now }).where(asRead);
    return true;
  }
  const { endpoint } = registration;
  if (phone.enabled && phone.changedAt === null && phone.endpoint === endpoint) return true;
  const isOther = sql`${devices.endpoint} = ${endpoint} and ${isOwned} and ${devices.id} <> ${phone.id}
    and exists (select 1 from device where ${asRead})`;
  await db.batch([
    releaseEndpoints(context, and(asRead, ne(devices.endpoint, endpoint)) as SQL),
    // An endpoint has one owner, whatever others did to it at the relay.
    take(context, isOther),
    db
      .update(devices)
      .set({ ...registered, endpoint, updatedAt: now })
      .where(asRead),
  ]);
  return true;
}

/**
 * An endpoint that a phone uses again stays, and is checked: it may have been removed in between, or given another token.
 * An endpoint without an owner is removed, and its row is deleted when a later sweep finds it gone.
 */
async function syncReleased(context: Syncing, released: Phone): Promise<boolean> {
  const { db, push } = context;
  const owners = await db
    .select()
    .from(devices)
    .where(and(eq(devices.endpoint, released.endpoint), isOwned));
  for (const owner of owners) if (owner.enabled && !(await syncPhone(context, owner))) return false;
  if (owners.length === 0) {
    const { state } = await push.check(released);
    if (state !== 'missing' && state !== 'unavailable') await removeEndpoints(context, [released]);
    if (state !== 'missing') return false;
  }
  await db.delete(devices).where(isAsRead(released));
  return true;
}

/** Phones whose endpoints have left the relay lose their owners, whose reminders are planned again. */
export async function releaseForGood(context: Syncing, which: SQL): Promise<Phone[]> {
  const [moved, , , released] = await context.db.batch([
    ...wakeSelected(context, sql`select user_id from device where ${which}`),
    release(context, which),
  ]);
  noteWoken(context, moved);
  return released;
}

/**
 * Removes endpoints from the relay, if `owner` still has them. A user who registered one of these phones meanwhile was
 * given the same endpoint, and gets another one. False if the relay did not confirm all removals; such an endpoint may be
 * gone nevertheless.
 */
export async function removeEndpoints(
  context: Syncing,
  phones: readonly Pick<Phone, 'endpoint'>[],
  owner: string | null = null,
): Promise<boolean> {
  const { push, log } = context;
  const endpoints = [...new Set(phones.map(({ endpoint }) => endpoint))];
  if (endpoints.length === 0) return true;
  const removals = await Promise.all(endpoints.map((endpoint) => push.remove(endpoint)));
  const isElse = owner === null ? undefined : ne(devices.userId, owner);
  const hit = await suspend(context, and(oneOf(devices.endpoint, endpoints), isElse) as SQL);
  await Promise.all(hit.map((phone) => syncPhone(context, phone)));
  for (const removal of removals)
    if (removal.state === 'unavailable')
      log({ event: 'relay.unavailable', doing: 'remove', error: removal.error });
  return removals.every((removal) => removal.state === 'removed');
}
