import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { forbidden, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { selectSize } from '../permissions/limits.ts';
import { selectRole, whenMember } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import { newCode } from './codes.ts';
import { elsewhere, isElsewhere } from './elsewhere.ts';
import { readEnrolment, requireStaff } from './enrolments.ts';
import { enrolments } from './schema.ts';

const lifetimeMs = 24 * 3600 * 1000;

/**
 * Makes a code that gives a participant a new token and ends their earlier ones; for owners and editors of the study in
 * which they enrolled, as long as it is their only one. It works once, for a day, and takes the place of an earlier one.
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
        .where(and(eq(members.investigationId, investigation), eq(members.userId, user))),
      selectSize(db, investigation),
    ] as const;
  await logged(context, investigation, read, async ([[me], [member], [size]], write) => {
    requireStaff(me);
    if (!member) throw notFound('member');
    if (!member.enrolledHere)
      throw forbidden('Only participants who enrolled by a code of this study get another one.');
    if (member.elsewhere) throw elsewhere();
    requireOpen(size);
    const holds = sql`${whenMember(investigation, actor, 'owner', 'editor')} and ${whenMember(investigation, user)}
      and ${isOpenStudy(investigation)} and not ${isElsewhere(user, investigation)}`;
    await write({ investigation, action: 'member.relinked', details: { member: user } }, [
      db.delete(enrolments).where(eq(enrolments.userId, user)),
      db.insert(enrolments).values({
        id,
        investigationId: investigation,
        // Null fails the batch if the read no longer holds: joining another study leaves this one's log as it is.
        code: sql`case when ${holds} then ${newCode()} end`,
        uses: 1,
        expiresAt: now + lifetimeMs,
        userId: user,
        createdBy: actor,
        createdAt: now,
        createdHash: '',
      }),
    ]);
  });
  return readEnrolment(context, id);
}
