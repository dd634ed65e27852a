import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, invalid, Problem } from '../errors.ts';
import type { Signature } from '../log/schema.ts';
import { type GroupPolicy, investigations, type LockPolicy } from '../studies/schema.ts';
import { type GivenProperties, overlaps, type PropertyRule } from './groups.ts';
import { isWithin } from './own-properties.ts';
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
      frozenGroups: investigations.frozenGroups,
      salted: sql`${investigations.course} -> '$.properties' is not null`.mapWith(Boolean).as('is_salted'),
      signer: sql<string>`(select u.name from user u where u.id = ${actor})`.as('signer'),
    })
    .from(investigations)
    .where(eq(investigations.id, investigation));

type PolicyRow = Awaited<ReturnType<typeof selectPolicy>>[number];

/** The study treats its groups differently, so that the properties of items matter to locks. */
export const isGrouped = (study: PolicyRow | undefined): boolean =>
  (study?.frozenGroups ?? study?.policy?.groups ?? null) !== null;

type Applied = Pick<LockPolicy, 'unlock' | 'signature'>;

/** Of a group that has several policies, or of several things at once, the strictest holds. */
const strictest = (policies: readonly Applied[]): Applied => ({
  unlock: policies.some(({ unlock }) => unlock === 'owners') ? 'owners' : 'viewers',
  signature: policies.some(({ signature }) => signature),
});

/** The fields of group policies go before those of the study. */
function withGroups(study: LockPolicy, groups: readonly GroupPolicy[]): Applied {
  const unlocks = groups.flatMap(({ unlock = [] }) => unlock);
  const signatures = groups.flatMap(({ signature = [] }) => signature);
  return {
    unlock: unlocks.length === 0 ? study.unlock : unlocks.includes('owners') ? 'owners' : 'viewers',
    signature: signatures.length === 0 ? study.signature : signatures.includes(true),
  };
}

/** The policy of items with these combinations of properties; of none, that of the study. */
export function policyOf(
  study: PolicyRow | undefined,
  combinations: readonly (GivenProperties | null)[],
): Applied {
  const policy = study?.policy ?? defaultPolicy;
  const { groups = [] } = policy;
  if (groups.length === 0 || combinations.length === 0) return policy;
  return strictest(
    combinations.map((one) =>
      withGroups(
        policy,
        groups.filter(({ properties }) => isWithin(properties, one)),
      ),
    ),
  );
}

/** The policy of a whole group, which may have parts with policies of their own. */
export function policyOfGroup(study: PolicyRow | undefined, group: PropertyRule): Applied {
  const policy = study?.policy ?? defaultPolicy;
  const parts = (policy.groups ?? []).filter(({ properties }) => overlaps(properties, group));
  return strictest([policy, ...parts.map((part) => withGroups(policy, [part]))]);
}

/** The policy of a whole study with all its groups. */
export const policyOfAll = (study: PolicyRow | undefined): Applied => policyOfGroup(study, {});

/** @throws action.forbidden */
export function requireUnlocker({ unlock }: Applied, role: Role): void {
  if (unlock === 'owners' && role !== 'owner') throw forbidden('Only owners unlock in this study.');
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
  policy: Applied = study?.policy ?? defaultPolicy,
): Signature | undefined {
  if (!given) {
    if (policy.signature)
      throw invalid('/signature', 'Expected a signature: the lock policy of this study asks for one.');
    return undefined;
  }
  requireFreshSignIn(context, 'A signature');
  return { name: study?.signer ?? '', meaning: given.meaning, at: new Date(context.now).toISOString() };
}
