import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newSecret, participantIssuer } from '../identifiers.ts';
import { users } from '../people/schema.ts';
import { isOwnRelink } from './own-relinks.ts';
import { enrolments } from './schema.ts';

/**
 * Ends all tokens of a participant: they name a subject that is nobody's from now on. A code that they made for another
 * page of theirs ends, too: whoever has the phone may have that page.
 */
export async function endTokens({ db, actor }: Context): Promise<void> {
  await db.batch([
    db
      .update(users)
      .set({ subject: newSecret() })
      .where(and(eq(users.id, actor), eq(users.issuer, participantIssuer))),
    db.delete(enrolments).where(isOwnRelink(actor)),
  ]);
}
