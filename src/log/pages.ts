import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { activities } from './schema.ts';

const pageRows = 1_000;

/** Characters of a page's entries: the last entry may exceed this. */
export const pageCharacters = 1_000_000;

/** Characters of an entry beside its texts, roughly. */
export const characters = sql<number>`(length(${activities.cases}) + length(${activities.responses})
  + coalesce(length(${activities.details}), 0) + 500)`;

/** Characters of the entries before this one on the page. */
const precedingCharacters = sql<number>`(sum(${characters}) over (order by ${activities.position} rows unbounded preceding)
  - ${characters})`;

/** Stored entries, oldest first; from the very first one if `after` is omitted. */
export async function readStored(
  db: Database,
  investigation: string,
  after: number | undefined,
  { named = false } = {},
) {
  const name = named ? sql`(select u.name from user u where u.id = ${activities.actorId})` : sql`null`;
  const page = db
    .select({
      investigationId: activities.investigationId,
      position: activities.position,
      id: activities.id,
      at: activities.at,
      actorId: activities.actorId,
      action: activities.action,
      cases: sql<string>`${activities.cases}`.as('cases_text'),
      responses: sql<string>`${activities.responses}`.as('responses_text'),
      reason: activities.reason,
      details: sql<string | null>`${activities.details}`.as('details_text'),
      signature: sql<string | null>`${activities.signature}`.as('signature_text'),
      actorName: sql<string | null>`${name}`.as('actor_name'),
      hash: activities.hash,
      characters: characters.as('characters'),
      preceding: precedingCharacters.as('preceding'),
    })
    .from(activities)
    .where(
      and(
        eq(activities.investigationId, investigation),
        after === undefined ? undefined : gt(activities.position, after),
      ),
    )
    .orderBy(activities.position)
    .limit(pageRows)
    .as('page');
  const rows = await db.select().from(page).where(lt(page.preceding, pageCharacters));
  const last = rows.at(-1);
  const more =
    last !== undefined && (rows.length === pageRows || last.preceding + last.characters >= pageCharacters);
  return { rows, more };
}
