import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { hexOf, participantIssuer } from '../identifiers.ts';
import { users } from '../people/schema.ts';

/** A subject that nobody can guess. */
export const newSubject = (): string => hexOf(crypto.getRandomValues(new Uint8Array(32)));

/** Ends all tokens of a participant: they name a subject that is nobody's from now on. */
export async function endTokens({ db, actor }: Context): Promise<void> {
  await db
    .update(users)
    .set({ subject: newSubject() })
    .where(and(eq(users.id, actor), eq(users.issuer, participantIssuer)));
}
