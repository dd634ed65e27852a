import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { oneOf } from '../db/json.ts';
import { deviceZone, zoneDevice } from '../phones/zone-schema.ts';
import { isZoneName } from '../schedule/zones.ts';
import { zoneChanges } from './schema.ts';

/** In SQL: the zone of the device whose zone changed last, else the user's, else the study's. */
export const effectiveZone = (user: SQL, userZone: SQL, studyZone: SQL) =>
  sql<string>`coalesce(${deviceZone(user)}, ${userZone}, ${studyZone})`;

/**
 * The first of these zones that the rules know, else UTC: a zone may have been stored under another release of the rules.
 */
export const knownZone = (...zones: string[]): string => zones.find(isZoneName) ?? 'UTC';

/** Logs each unknown zone once. */
export function logUnknown({ log }: Pick<Context, 'log'>, zones: Iterable<string>): void {
  for (const zone of new Set(zones))
    if (!isZoneName(zone)) log({ event: 'zone.unknown', level: 'error', zone });
}

/** The zones that are kept of a user or a study, and the newest that are shown. */
export const maxZones = 100;

const lastPosition = (of: SQL) => sql`(select max(position) from zone_change where of_id = ${of})`;

/**
 * Notes the zone that these users' reminders go by from now on, if it is another one or comes from elsewhere than before:
 * after whatever woke their cursors, since whatever moves a zone does that.
 */
export const noteUserZones = ({ db, now }: { db: Database; now: number }, users: readonly string[]) =>
  db.insert(zoneChanges).select(sql`select u.id, coalesce(l.position, 0) + 1, ${now},
    coalesce(d.time_zone, u.time_zone) as zone,
    iif(d.time_zone is not null, 'device', iif(u.time_zone is not null, 'user', 'study')) as origin
    from user u
    left join device d on d.id = ${zoneDevice(sql`u.id`)}
    left join zone_change l on l.of_id = u.id and l.position = ${lastPosition(sql`u.id`)}
    where ${oneOf(sql`u.id`, users)} and u.deleted_at is null
      and (zone is not l.time_zone or origin is not coalesce(l.source, 'study'))`);

interface StudyZones {
  id: string;
  createdAt: number;
  before: string;
  after: string;
}

/** Notes a study's new zone, and with the first one that of its beginning. */
export const noteStudyZone = (
  { db, now }: { db: Database; now: number },
  { id, createdAt, before, after }: StudyZones,
) => {
  const position = sql`coalesce(${lastPosition(sql`${id}`)}, 0) + 1`;
  const noted = (since: number, zone: string, where: SQL) =>
    db.insert(zoneChanges).select(sql`select ${id}, ${position}, ${since}, ${zone}, 'study' where ${where}`);
  return [noted(createdAt, before, sql`${lastPosition(sql`${id}`)} is null`), noted(now, after, sql`true`)];
};
