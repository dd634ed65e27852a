import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newSecret, participantIssuer } from '../identifiers.ts';
import { users } from '../people/schema.ts';

/** Ends all tokens of a participant: they name a subject that is nobody's from now on. */
export async function endTokens({ db, actor }: Context): Promise<void> {
  await db
    .update(users)
    .set({ subject: newSecret() })
    .where(and(eq(users.id, actor), eq(users.issuer, participantIssuer)));
}
