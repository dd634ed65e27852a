import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { isAlive, whenMember } from '../permissions/visibility.ts';
import { investigations } from '../studies/schema.ts';
import { newCode } from './codes.ts';
import { elsewhere, isElsewhere } from './elsewhere.ts';
import { enrolments } from './schema.ts';

const lifetimeMs = 3600 * 1000;

/** A code that is good for longer than this is given again, so that pages that ask often make few. */
const freshMs = lifetimeMs / 2;

/** In SQL: a code that a participant has made for another page of their own. */
export const isOwnRelink = (user: string) => and(eq(enrolments.userId, user), eq(enrolments.createdBy, user));

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
  return logged(context, study, read, async ([[mine], [existing]], write) => {
    if (!mine?.isMember) throw notFound('investigation');
    if (mine.elsewhere) throw elsewhere();
    requireOpen(mine);
    if (existing) return { ...existing, created: false };
    const { investigation } = mine;
    const code = newCode();
    const expiresAt = now + lifetimeMs;
    const holds = sql`${whenMember(investigation, actor)} and ${isOpenStudy(investigation)}
      and not ${isElsewhere(actor, investigation)}`;
    await write({ investigation, action: 'member.relinked', details: { member: actor } }, [
      db.delete(enrolments).where(isOwnRelink(actor)),
      db.insert(enrolments).values({
        id: newIdentifier(now),
        investigationId: investigation,
        // Null fails the batch if the read no longer holds.
        code: sql`case when ${holds} then ${code} end`,
        uses: 1,
        expiresAt,
        userId: actor,
        createdBy: actor,
        createdAt: now,
        createdHash: '',
      }),
    ]);
    return { code, expiresAt, created: true };
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
