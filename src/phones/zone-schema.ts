import { type SQL, sql } from 'drizzle-orm';

/** In SQL: the order of a user's devices for their zone: those that get pushes, and of them the newest change of a zone. */
export const byZone = sql.raw('time_zone is not null order by enabled desc, zone_since desc limit 1');

/** In SQL: the device that gives the user's zone. */
export const zoneDevice = (user: string | SQL) =>
  sql`(select id from device where user_id = ${user} and ${byZone})`;

/** In SQL: the zone of the user's devices. */
export const deviceZone = (user: string | SQL) =>
  sql`(select time_zone from device where user_id = ${user} and ${byZone})`;

/** In SQL: users whose zone may be that of another device, as pushes to one of these end or begin again. */
export const usersOfSwitched = (which: SQL) => sql`
  select distinct user_id from device where ${which} and exists (select 1 from device other
    where other.user_id = device.user_id and other.id <> device.id and other.time_zone is not device.time_zone)`;
