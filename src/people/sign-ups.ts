import { and, desc, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden } from '../errors.ts';
import { newIdentifier, participantIssuer } from '../identifiers.ts';
import { withOptimisticRetry } from '../log/activities.ts';
import { membershipCount } from '../permissions/limits.ts';
import { wakeUser } from '../reminders/wake.ts';
import {
  acceptAll,
  isStillWaiting,
  selectWaiting,
  type Waiting,
  withinLimits,
} from '../studies/invitation-acceptance.ts';
import { selectReceived } from '../studies/invitations.ts';
import { users } from './schema.ts';
import { type Profile, readUser, toQuietColumns } from './users.ts';

/** The person that a token names. */
export interface TokenUser {
  issuer: string;
  subject: string;
  /** Only from a verified claim, in its normal form. */
  email: string | null;
  /**
   * When the token was issued (epoch ms), now if it does not say: its provider vouched for the address then, and if two
   * users show one address, the later proof wins.
   */
  provedAt: number;
}

export interface Account {
  id: string;
  email: string | null;
  emailProvedAt: number;
  /** When the user last made a request, to the hour (epoch ms). */
  seenAt: number | null;
  /** 1 of a program. */
  isProgram: number;
}

const account = {
  id: users.id,
  email: users.email,
  emailProvedAt: users.emailProvedAt,
  seenAt: users.seenAt,
  isProgram: sql<number>`${users.madeBy} is not null`.as('is_program'),
};

const selectByToken = (db: Database, { issuer, subject }: TokenUser) =>
  db
    .select({ ...account, memberships: membershipCount.as('memberships') })
    .from(users)
    .where(and(eq(users.issuer, issuer), eq(users.subject, subject)));

/** The user who signed up with the token. Deleted users are not found. */
export async function findUserByToken(db: Database, token: TokenUser): Promise<Account | undefined> {
  const [row] = await selectByToken(db, token);
  return row;
}

/** Notes that the user made a request now. */
export const noteSeen = (db: Database, id: string, now: number) =>
  db
    .update(users)
    .set({ seenAt: now })
    .where(and(eq(users.id, id), sql`coalesce(${users.seenAt} < ${now}, 1)`));

/** In SQL: nobody else proved the address later. */
const isNewest = ({ email, provedAt }: TokenUser, id: string) =>
  sql`not exists (select 1 from user other where other.email = ${email} and other.id <> ${id}
    and other.email_proved_at > ${provedAt})`;

/** The previous user of the address loses it, unless their proof is later. */
const takeFromOthers = (db: Database, { email, provedAt }: TokenUser, id: string) =>
  db
    .update(users)
    .set({ email: null, emailProvedAt: provedAt })
    .where(sql`${users.email} = ${email} and ${users.id} <> ${id} and ${users.emailProvedAt} <= ${provedAt}`);

/** Gives a user the address that their token proves. Resolves with the user's address afterwards. */
export async function takeEmail(db: Database, { id, email }: Account, token: TokenUser) {
  const [, [taken]] = await db.batch([
    takeFromOthers(db, token, id),
    db
      .update(users)
      .set({ email: token.email, emailProvedAt: token.provedAt })
      .where(and(eq(users.id, id), sql`${users.emailProvedAt} <= ${token.provedAt}`, isNewest(token, id)))
      .returning({ email: users.email }),
  ]);
  return taken ? taken.email : email;
}

export interface SignUp extends Profile {
  /** Studies whose invitations become memberships now: these, or all or none of those for the address. */
  acceptInvitations?: boolean | readonly string[] | undefined;
}

/**
 * Signs the caller up. Invitations that the caller accepts become memberships, each with an entry in its study's log;
 * those beyond a limit stay open. Signing up again changes nothing else.
 */
export async function signUp(context: Context, token: TokenUser, { acceptInvitations, ...profile }: SignUp) {
  const { db, now } = context;
  if (token.issuer === participantIssuer)
    throw forbidden('Participants who enrolled by a code are signed up.');
  const { id, created } = await withOptimisticRetry(async () => {
    const newcomer = newIdentifier(now);
    const studies = Array.isArray(acceptInvitations) ? { studies: acceptInvitations } : {};
    const scope = { email: token.email ?? '', ...studies };
    const { issuer, subject } = token;
    const byToken = sql`(select id from user where issuer = ${issuer} and subject = ${subject})`;
    const [[existing], [holder], invited] = await db.batch([
      selectByToken(db, token),
      selectHolder(db, token),
      selectWaiting(db, scope, { user: byToken, timeZone: profile.timeZone }, now),
    ]);
    const id = existing?.id ?? newcomer;
    const email = provenEmail(token, existing, holder);
    const memberships = existing?.memberships ?? 0;
    const accepted = email === null ? [] : chosen(invited, acceptInvitations, memberships);
    const waiting = withinLimits(context, accepted, memberships);
    if (existing && waiting.length === 0 && (email === null || email === existing.email))
      return { id, created: false };

    const holds = sql`(${email} is null or ${isNewest(token, id)})
      and ${email === null || acceptInvitations === false ? sql`1` : isStillWaiting(scope, invited, now)}`;
    const proof = email === null ? {} : { email, emailProvedAt: token.provedAt };
    const guarded = sql`(select id from user where id = ${id} and deleted_at is null)`;
    const joining = await acceptAll(context, { id, guarded }, email ?? '', waiting);
    await db.batch([
      takeFromOthers(db, { ...token, email }, id),
      existing
        ? db
            .update(users)
            .set({ ...proof, name: sql`case when ${holds} then name end` })
            .where(eq(users.id, id))
        : db.insert(users).values({
            id,
            issuer,
            subject,
            ...proof,
            // Null fails the batch if the address or its invitations have changed since the read.
            name: sql`case when ${holds} then ${profile.name} end`,
            timeZone: profile.timeZone ?? null,
            customRemindersTime: profile.customRemindersTime ?? null,
            language: profile.language ?? null,
            ...toQuietColumns(profile.quietHours ?? null),
            seenAt: now,
            createdAt: now,
          }),
      ...joining,
      ...wakeUser(context, id),
    ]);
    return { id, created: !existing };
  });
  const [user, invitations] = await Promise.all([
    readUser(context, id),
    selectReceived(db, id, now, { limit: shown - 1 }),
  ]);
  return { user, created, invitations };
}

/** Most open invitations in the answer of a sign-up. */
const shown = 100;

/**
 * The invitations that become memberships. By default, new users join the one study that invites them, if it is their
 * first: everyone who knows an address may invite it, so a second study needs a choice.
 */
function chosen(invited: Waiting, accept: SignUp['acceptInvitations'], memberships: number): Waiting {
  if (accept === undefined) return memberships === 0 && invited.length === 1 ? invited : [];
  return accept === false ? [] : invited;
}

const selectHolder = (db: Database, { email }: TokenUser) =>
  db
    .select(account)
    .from(users)
    .where(email === null ? sql`0` : eq(users.email, email))
    .orderBy(desc(users.emailProvedAt))
    .limit(1);

/** The address of the token, unless somebody else proved it later. */
function provenEmail({ email, provedAt }: TokenUser, own: Account | undefined, holder: Account | undefined) {
  if (email === null || own?.email === email) return email;
  return Math.max(own?.emailProvedAt ?? 0, holder?.emailProvedAt ?? 0) <= provedAt ? email : null;
}
