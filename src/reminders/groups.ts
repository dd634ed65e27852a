import { type SQL, sql } from 'drizzle-orm';
import { fits, type OwnProperties, type PropertyRule } from '../permissions/groups.ts';

/** Of a row of a person and a survey. Absent: no member. */
interface Grouped {
  /** The survey's `for` and the member's properties, as JSON. */
  for: string | null;
  properties: string | null;
  /** 1: the survey is blinded, and the member is of the staff that does not see it. */
  barred: number;
}

/**
 * Whether a survey is for a member, and since when: the instant (epoch ms) at which they got the last of the properties that it
 * asks for; 0: it asks for none.
 */
export function groupOf({ for: rule, properties, barred }: Grouped): { isIn: boolean; since: number } {
  if (barred) return { isIn: false, since: 0 };
  if (rule === null) return { isIn: true, since: 0 };
  const own: OwnProperties = properties === null ? {} : JSON.parse(properties);
  let since = 0;
  for (const [name, values] of Object.entries(JSON.parse(rule) as PropertyRule)) {
    const [value, at = 0] = own[name] ?? [];
    if (value === undefined || !values.includes(value)) return { isIn: false, since: 0 };
    since = Math.max(since, at);
  }
  return { isIn: true, since };
}

/**
 * In SQL: survey `s` is blinded, and user `u` one of the editors and monitors of its study `i`, who do not see it, and so cannot take it.
 * Nothing is read for other surveys.
 */
export const isBarred: SQL = sql`(s.blinded and exists (select 1 from current_member barred
  where barred.investigation_id = i.id and barred.user_id = u.id and barred.role in ('editor', 'monitor')))`;

/** In SQL: member `m`, who is user `u`, takes survey `s` of study `i`. */
export const takesSurvey: SQL = sql`(m.participant_since is not null
  and ${fits(sql`s.for`, sql`m.properties`)} and not ${isBarred})`;

/**
 * Since when reminders exist (epoch ms) once a survey is for others: occurrences that are still open come to the new people at once, and
 * earlier ones do not exist for them.
 */
export const openSince = (
  remindersSince: number,
  { expiresAfter, now }: { expiresAfter: number; now: number },
): number => Math.max(remindersSince, now - expiresAfter * 60_000);
