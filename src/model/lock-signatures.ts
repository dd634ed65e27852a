import { sql } from 'drizzle-orm';
import type { Signature } from '../db/schema/activities.ts';
import { members } from '../db/schema/investigations.ts';
import type { cases, responses } from '../db/schema/items.ts';

/** In SQL: with what an item's lock was signed, for those who read the activity log. Needs `asMember`. */
export const lockSignature = (table: typeof cases | typeof responses) =>
  sql<Signature | null>`case when ${members.role} <> 'responder' then (select a.signature from activity a
    where a.investigation_id = ${table.investigationId} and a.position = ${table.lockedIn}) end`
    .mapWith((text: string) => JSON.parse(text) as Signature)
    .as('lock_signature');
