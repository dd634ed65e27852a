import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { devices, hasStatus, isEnabled } from './schema.ts';
import { byZone, deviceZone } from './zone-schema.ts';

/*
 * A row of `device` is the desired state: owner, token and endpoint. The relay and the database share no transaction, so
 * a row whose `changed_at` is set may be ahead of the relay or behind it. `syncPhone` makes the relay follow: in the
 * request if possible, else in the sweep. A removed phone loses its owner. An endpoint that a phone gives up gets a row
 * of its own, also without an owner. Both wait until the sweep finds the endpoint gone from the relay: somebody else may
 * have been given it just before, and be stored just after.
 */

/** A row, with or without an owner. */
export type Phone = typeof devices.$inferSelect;

export type Token = Pick<Phone, 'platform' | 'token'>;

type Writing = Pick<Context, 'db' | 'now'>;

export const isOwned = isNotNull(devices.userId);

const hasToken = ({ platform, token }: Token) =>
  and(eq(devices.platform, platform), eq(devices.token, token)) as SQL;

/** In SQL: no device, at no cost. */
export const noDevice = sql`${devices.id} = null`;

/** In SQL: the device that its owner registered with this token. */
export const isOwn = (token: Token, owner: string) => and(hasToken(token), eq(devices.userId, owner)) as SQL;

/**
 * In SQL: a device with this token or this endpoint, other than the one that keeps them. Each half is one look-up by an
 * index.
 */
export const isRival = ({ endpoint, ...token }: Token & { endpoint: string }, keeper: SQL) =>
  sql`((${hasToken(token)} and ${isOwned} and not (${keeper}))
    or (${devices.endpoint} = ${endpoint} and ${isOwned} and not (${keeper})))`;

/**
 * In SQL: a push to this row may reach the phone that has this token now: the row has the token, or an endpoint that was
 * given the token.
 */
export const mayReach = (token: Token) =>
  sql`${devices.id} in (select id from device where ${hasToken(token)}
    union select d.id from device n cross join device d on d.endpoint = n.endpoint
      where n.platform = ${token.platform} and n.token = ${token.token})`;

/** In SQL: the row has not changed since it was read. */
export const isAsRead = ({ id, userId, token, endpoint, status, seenAt, changedAt }: Phone) =>
  sql`${devices.id} = ${id} and ${devices.userId} is ${userId} and ${devices.token} = ${token}
    and ${devices.endpoint} = ${endpoint} and ${devices.status} is ${status} and ${devices.seenAt} = ${seenAt}
    and ${devices.changedAt} is ${changedAt}`;

/** In a SET: the relay may differ from now on. Devices that the relay disabled stay disabled. */
export const changedIfEnabled = (now: number) => sql`iif(${devices.enabled}, ${now}, null)`;

/** The columns of a row whose phone has just been registered. */
export const registered = { enabled: true, status: 'kept', changedAt: null } as const;

const newId = sql`lower(hex(randomblob(16)))`;

/** These phones lose their owners. They give up their identifiers, which the app may choose again. */
export const release = ({ db, now }: Writing, which: SQL) =>
  db
    .update(devices)
    .set({ id: newId, userId: null, enabled: false, changedAt: now })
    .where(which)
    .returning();

/** These endpoints lose their owners, and the phones get others. THIS COMES BEFORE THE PHONES ARE WRITTEN. */
export const releaseEndpoints = ({ db, now }: Writing, which: SQL) =>
  db
    .insert(devices)
    .select(sql`select ${newId}, null, platform, token, endpoint, time_zone, null, 0, created_at, updated_at, seen_at,
      zone_since, 'kept', ${now} from device where ${which}`)
    .returning();

/** The relay may have this endpoint with this token, though no row says so. Repeated tries have one row. */
export const noteEndpoint = (
  { db, now }: Writing,
  { platform, token, endpoint, timeZone }: Pick<Phone, 'platform' | 'token' | 'endpoint' | 'timeZone'>,
) =>
  db
    .insert(devices)
    .select(sql`select coalesce((select id from device where token = ${token} and platform = ${platform}
        and endpoint = ${endpoint} and user_id is null and changed_at is not null limit 1), ${newId}),
      null, ${platform}, ${token}, ${endpoint}, ${timeZone}, null, 0, ${now}, ${now}, ${now}, ${now}, 'kept', ${now} where true`)
    // A sweep that has read the row as it was does not delete it.
    .onConflictDoUpdate({ target: devices.id, set: { seenAt: sql`max(${now}, ${devices.seenAt} + 1)` } });

/** Ends pushes to these phones, whatever their users have under way at the relay. */
export const take = ({ db, now }: Writing, which: SQL) =>
  db.update(devices).set({ enabled: false, status: 'taken', changedAt: null, updatedAt: now }).where(which);

/**
 * Ends pushes to other users on a phone that its owner has proved to own. THIS COMES BEFORE THE RELAY IS ASKED, so that
 * no later failure leaves the others reachable on it.
 */
export const takeFromOthers = (context: Writing, token: Token, owner: string) =>
  take(context, and(mayReach(token), ne(devices.userId, owner)) as SQL);

/** Ends pushes to these phones until the relay is known to have them. */
export const suspend = ({ db, now }: Writing, which: SQL) =>
  db
    .update(devices)
    .set({ enabled: false, changedAt: now, updatedAt: now })
    .where(and(which, isOwned, isEnabled))
    .returning();

/** The relay has enabled the endpoint, or disabled it, unless the phone was registered or taken since it was read. */
export const setEnabled = ({ db, now }: Writing, { id, seenAt }: Phone, enabled: boolean) =>
  db
    .update(devices)
    .set({ enabled, updatedAt: now })
    .where(
      and(eq(devices.id, id), eq(devices.seenAt, seenAt), enabled ? hasStatus(registered.status) : undefined),
    );

/** In a SET: since when the device has this zone. A repeated registration is no change. */
export const zoneSince = (zone: string | null, now: number) =>
  sql`iif(${devices.timeZone} is ${zone}, ${devices.zoneSince}, ${now})`;

/** A registered or updated device, as it is afterwards. */
interface Registered {
  owner: string;
  /** In SQL: its row so far, if there is one. */
  own: SQL;
  zone: string | null;
  enabled?: boolean;
}

/**
 * In SQL: users whose zone a registration changes: the owner, and users who lose one of the `lost` phones. Reads the
 * owner's other phones only where one of them may give the zone. THIS IS READ BEFORE THE DEVICES ARE WRITTEN.
 */
export const usersMovedBy = (lost: SQL, { owner, own, zone, enabled = true }: Registered, now: number) => {
  const isRepeat = sql`exists (select 1 from device where ${own} and time_zone is ${zone})`;
  const ofAll = sql`(select time_zone from (
      select time_zone, enabled, zone_since from device where user_id = ${owner} and (${own} or ${lost}) is not true
      union all select ${zone}, ${enabled ? 1 : 0},
        coalesce((select zone_since from device where ${own} and time_zone is ${zone}), ${now}))
    where ${byZone})`;
  const after = zone !== null && enabled ? sql`iif(${isRepeat}, ${ofAll}, ${zone})` : ofAll;
  return sql`
  select distinct user_id from device where ${lost} and user_id <> ${owner}
  union all select ${owner} where not exists (select 1 from device where ${own} and time_zone is ${zone} and enabled)
    and ${deviceZone(owner)} is not ${after}
    and exists (select 1 from user where id = ${owner} and deleted_at is null)`;
};
