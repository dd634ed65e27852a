import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newSecret, participantIssuer } from '../identifiers.ts';
import { users } from '../people/schema.ts';
import { releasePhones } from '../phones/removal.ts';
import { removeEndpoints } from '../phones/sync.ts';
import { noteWoken } from '../reminders/wake.ts';
import { isOwnRelink } from './relinks.ts';
import { enrolments } from './schema.ts';

/**
 * Ends all tokens of a participant: they name a subject that is nobody's from now on. The phones that were registered with
 * them go along, and so does a code that they made for another page of theirs: whoever has the phone may have that page.
 */
export async function endTokens(context: Context): Promise<void> {
  const { db, actor } = context;
  const isParticipant = and(eq(users.id, actor), eq(users.issuer, participantIssuer));
  const [moved, , , released] = await db.batch([
    ...releasePhones(context, sql`user_id = ${actor} and exists (select 1 from user where ${isParticipant})`),
    db.update(users).set({ subject: newSecret() }).where(isParticipant),
    db.delete(enrolments).where(isOwnRelink(actor)),
  ]);
  noteWoken(context, moved);
  await removeEndpoints(context, released);
}
