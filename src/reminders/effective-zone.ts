import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { devices } from '../phones/schema.ts';
import { isZoneName } from '../schedule/zones.ts';

/** In SQL: the zone of the device last registered or updated, else the user's, else the study's. */
export const effectiveZone = (user: SQL, userZone: SQL, studyZone: SQL) =>
  sql<string>`coalesce((select d.time_zone from ${devices} d where d.user_id = ${user} order by d.seen_at desc limit 1), ${userZone}, ${studyZone})`;

/**
 * The first of these zones that the rules know, else UTC: a zone may have been stored under another release of the rules.
 */
export const knownZone = (...zones: string[]): string => zones.find(isZoneName) ?? 'UTC';

/** Logs each unknown zone once. */
export function logUnknown({ log }: Pick<Context, 'log'>, zones: Iterable<string>): void {
  for (const zone of new Set(zones))
    if (!isZoneName(zone)) log({ event: 'zone.unknown', level: 'error', zone });
}
