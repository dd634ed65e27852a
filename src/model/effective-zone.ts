import { type SQL, sql } from 'drizzle-orm';
import { devices } from '../db/schema.ts';

/** In SQL: the zone of the device last registered or updated, else the user's, else the study's. */
export const effectiveZone = (user: SQL, userZone: SQL, studyZone: SQL) =>
  sql<string>`coalesce((select d.time_zone from ${devices} d where d.user_id = ${user} order by d.seen_at desc limit 1), ${userZone}, ${studyZone})`;
