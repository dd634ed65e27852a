import { desc, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { fits } from '../permissions/groups.ts';
import { selectAlive } from '../permissions/visibility.ts';
import { maxZones } from './effective-zone.ts';
import { zoneChanges } from './schema.ts';

/** A zone that a user's reminders went by, from `since` (epoch ms) until the next. */
export interface PastZone {
  timeZone: string;
  since: number;
  from: 'device' | 'user' | 'study';
}

/** A zone of a study that the user belongs to since `joined` (epoch ms). */
interface StudyZone {
  study: string;
  joined: number;
  timeZone: string;
  since: number;
}

/**
 * The last zones of a user, newest first: of the actor, or of a member in the part of a study that the actor sees as its staff. While
 * the user had none of their own, the zones of their studies are listed; of those the actor may know. One round trip.
 * @throws resource.not-found
 */
export async function listTimeZones(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  user: string,
): Promise<PastZone[]> {
  const known = sql`current_member m join investigation i on i.id = m.investigation_id
    left join zone_change z on z.of_id = i.id
    where m.user_id = ${user} and (m.user_id = ${actor} or exists (select 1 from current_member me
      where me.investigation_id = m.investigation_id and me.user_id = ${actor} and me.role <> 'responder'
        and ${fits(sql`me.scope`, sql`m.properties`)}))`;
  const [[alive], own, ofStudies] = await db.batch([
    selectAlive(db, user),
    db
      .select()
      .from(zoneChanges)
      .where(eq(zoneChanges.ofId, user))
      .orderBy(desc(zoneChanges.position))
      .limit(maxZones),
    db
      .select({
        study: sql<string>`i.id`.as('study'),
        joined: sql<number>`m.created_at`.as('joined'),
        timeZone: sql<string>`coalesce(z.time_zone, i.time_zone)`.as('zone'),
        since: sql<number>`coalesce(z.since, i.created_at)`.as('began'),
      })
      .from(known)
      .orderBy(sql`i.id, z.position desc`),
  ]);
  if (!alive || (user !== actor && ofStudies.length === 0)) throw notFound('user');
  const first = own.at(-1);
  const isWhole = first === undefined || first.position === 1;
  const before = { since: Number.NEGATIVE_INFINITY, timeZone: null, source: 'study' as const };
  let until = Number.POSITIVE_INFINITY;
  const all = [...own, ...(isWhole ? [before] : [])].flatMap(({ since, timeZone, source }): PastZone[] => {
    const end = until;
    until = since;
    return timeZone === null ? during(ofStudies, since, end) : [{ timeZone, since, from: source }];
  });
  return all.toSorted((a, b) => b.since - a.since).slice(0, maxZones);
}

/** The zones of the studies between two instants, as long as the user belonged to them. */
const during = (zones: readonly StudyZone[], since: number, until: number): PastZone[] =>
  zones.flatMap((zone, n) => {
    const newer = zones[n - 1];
    const end = newer?.study === zone.study ? Math.min(until, newer.since) : until;
    const from = Math.max(since, zone.since, zone.joined);
    return from < end ? [{ timeZone: zone.timeZone, since: from, from: 'study' as const }] : [];
  });
