import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { fits } from '../permissions/groups.ts';
import { selectSize } from '../permissions/limits.ts';
import { editors } from '../permissions/roles.ts';
import { isAlive, requireEditor, scopeOf, selectRole, whenMember } from '../permissions/visibility.ts';
import { investigations, members } from '../studies/schema.ts';
import { newEnrolmentCode } from './codes.ts';
import { elsewhere, isElsewhere } from './elsewhere.ts';
import { handlesCodes, readEnrolment } from './enrolments.ts';
import { enrolments } from './schema.ts';

const hourMs = 3600 * 1000;

/** The lifetimes of codes: those of the team, and those of participants for another page of theirs. */
const lifetimeMs = 24 * hourMs;
const ownLifetimeMs = hourMs;

/** A code that is good for longer than this is given again, so that pages that ask often make few. */
const freshMs = ownLifetimeMs / 2;

/** In SQL: a code that a participant has made for another page of their own. */
export const isOwnRelink = (user: string) => and(eq(enrolments.userId, user), eq(enrolments.createdBy, user));

/**
 * Makes a code that gives a participant a new token and ends their earlier ones; for owners and editors of the study in
 * which they enrolled who see them, as long as it is their only one. It works once, for a day, and takes the place of an earlier one.
 * @throws resource.not-found, action.forbidden, member.elsewhere, study.archived, limit.reached
 */
export async function createRelink(context: Context, investigation: string, user: string) {
  const { db, actor, now } = context;
  const id = newIdentifier(now);
  const read = () =>
    [
      selectRole(db, investigation, actor),
      db
        .select({
          enrolledHere: sql<number>`exists (select 1 from enrolment e
            where e.id = ${users.enrolmentId} and e.investigation_id = ${investigation})`.as('enrolled_here'),
          elsewhere: sql<number>`${isElsewhere(user, investigation)}`.as('elsewhere'),
        })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(
          and(
            eq(members.investigationId, investigation),
            eq(members.userId, user),
            fits(scopeOf(investigation, actor), members.properties),
          ),
        ),
      selectSize(db, investigation),
    ] as const;
  await logged(context, investigation, read, async ([[me], [member], [size]], write) => {
    requireEditor(me, handlesCodes);
    if (!member) throw notFound('member');
    if (!member.enrolledHere)
      throw forbidden('Only participants who enrolled by a code of this study get another one.');
    if (member.elsewhere) throw elsewhere();
    requireOpen(size);
    const isEditor = whenMember(investigation, actor, ...editors);
    const code = { id, code: newEnrolmentCode(), expiresAt: now + lifetimeMs };
    await write({ investigation, action: 'member.relinked', details: { member: user } }, [
      db.delete(enrolments).where(eq(enrolments.userId, user)),
      insertRelink(context, { investigation, user, ...code }, isEditor),
    ]);
  });
  return readEnrolment(context, id);
}

/**
 * Makes a code that gives a participant a new token on another page of theirs, such as that on the home screen of an
 * iPhone, and ends their earlier ones; for the participant. It works once, for an hour. Codes of the study's team stay.
 * @throws resource.not-found, member.elsewhere, study.archived
 */
export async function createOwnRelink(context: Context) {
  const { db, actor, now } = context;
  const study = sql`(select e.investigation_id from enrolment e join user u on u.enrolment_id = e.id where u.id = ${actor})`;
  const read = () =>
    [
      selectEnrolled(db, actor),
      db
        .select({ code: enrolments.code, expiresAt: sql<number>`${enrolments.expiresAt}`.as('until') })
        .from(enrolments)
        .where(
          and(
            isOwnRelink(actor),
            lt(enrolments.used, enrolments.uses),
            isNull(enrolments.endedAt),
            gt(enrolments.expiresAt, now + freshMs),
          ),
        ),
    ] as const;
  return logged(context, study, read, async ([[enrolled], [existing]], write) => {
    if (!enrolled?.isMember) throw notFound('investigation');
    if (enrolled.elsewhere) throw elsewhere();
    requireOpen(enrolled);
    if (existing) return { ...existing, created: false };
    const { investigation } = enrolled;
    const code = { code: newEnrolmentCode(), expiresAt: now + ownLifetimeMs };
    await write({ investigation, action: 'member.relinked', details: { member: actor } }, [
      db.delete(enrolments).where(isOwnRelink(actor)),
      insertRelink(context, { id: newIdentifier(now), investigation, user: actor, ...code }, sql`1`),
    ]);
    return { ...code, created: true };
  });
}

/** The study in which the actor enrolled by a code, and whether they still take part there and nowhere else. */
const selectEnrolled = (db: Database, actor: string) =>
  db
    .select({
      investigation: sql<string>`${enrolments.investigationId}`.as('study'),
      archivedAt: investigations.archivedAt,
      isMember: sql<number>`exists (select 1 from current_member m
        where m.investigation_id = ${enrolments.investigationId} and m.user_id = ${actor})`.as('is_member'),
      elsewhere: sql<number>`${isElsewhere(actor, enrolments.investigationId)}`.as('elsewhere'),
    })
    .from(users)
    .innerJoin(enrolments, eq(enrolments.id, users.enrolmentId))
    .innerJoin(investigations, eq(investigations.id, enrolments.investigationId))
    .where(isAlive(actor));

interface Relink {
  id: string;
  investigation: string;
  user: string;
  code: string;
  expiresAt: number;
}

/**
 * A statement: a code for one use by a participant of the study. Null fails the batch if the condition does not hold, or if
 * they take part no more, or elsewhere too: joining another study leaves this one's log as it is.
 */
const insertRelink = (
  { db, actor, now }: Context,
  { id, investigation, user, code, expiresAt }: Relink,
  condition: SQL,
) =>
  db.insert(enrolments).values({
    id,
    investigationId: investigation,
    code: sql`case when ${condition} and ${whenMember(investigation, user)} and ${isOpenStudy(investigation)}
      and not ${isElsewhere(user, investigation)} then ${code} end`,
    uses: 1,
    expiresAt,
    userId: user,
    createdBy: actor,
    createdAt: now,
    createdHash: '',
  });
