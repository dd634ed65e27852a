import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, invalid, Problem } from '../errors.ts';
import type { Signature } from '../log/schema.ts';
import { investigations, type LockPolicy } from '../studies/schema.ts';
import type { Role } from './roles.ts';

/** The policy of a study that has set none. */
export const defaultPolicy: LockPolicy = { unlock: 'viewers', signature: false };

/** The statement that an actor signs with a lock, an unlock, a freeze or a review. */
export interface Signing {
  meaning: string;
}

/** The policy of a study, and the name with which the actor would sign. */
export const selectPolicy = (db: Database, investigation: string, actor: string) =>
  db
    .select({
      policy: investigations.lockPolicy,
      frozenAt: investigations.frozenAt,
      signer: sql<string>`(select u.name from user u where u.id = ${actor})`.as('signer'),
    })
    .from(investigations)
    .where(eq(investigations.id, investigation));

type PolicyRow = Awaited<ReturnType<typeof selectPolicy>>[number];

/** @throws action.forbidden */
export function requireUnlocker(study: PolicyRow | undefined, role: Role): void {
  if (study?.policy?.unlock === 'owners' && role !== 'owner')
    throw forbidden('Only owners unlock in this study.');
}

/** Seconds for which a sign-in counts as fresh. */
export const maxSignInAge = 300;
/** The clocks of the provider and of this service may differ by this much. */
const skewSeconds = 60;

/** @param of the thing that needs it, which begins the sentence @throws auth.sign-in-stale */
export function requireFreshSignIn({ now, authTime }: Pick<Context, 'now' | 'authTime'>, of: string): void {
  const age = now / 1000 - (authTime ?? 0);
  if (age > maxSignInAge || age < -skewSeconds)
    throw new Problem(
      'auth.sign-in-stale',
      `${of} needs a sign-in whose auth_time is at most ${maxSignInAge} seconds ago: sign in again.`,
    );
}

/** The signature to store with the entry, if any. @throws request.invalid, auth.sign-in-stale */
export function sign(
  context: Pick<Context, 'now' | 'authTime'>,
  study: PolicyRow | undefined,
  given: Signing | undefined,
): Signature | undefined {
  if (!given) {
    if (study?.policy?.signature)
      throw invalid('/signature', 'Expected a signature: the lock policy of this study asks for one.');
    return undefined;
  }
  requireFreshSignIn(context, 'A signature');
  return { name: study?.signer ?? '', meaning: given.meaning, at: new Date(context.now).toISOString() };
}
