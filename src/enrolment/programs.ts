import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { named, query, textOf } from '../db/query.ts';
import { notFound } from '../errors.ts';
import { newIdentifier, newSecret, participantIssuer } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { selectDeclared } from '../permissions/declared-properties.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import { selectSize, studyFull } from '../permissions/limits.ts';
import { requireFreshSignIn } from '../permissions/lock-policies.ts';
import { requireOwner, selectRole, whenMember } from '../permissions/visibility.ts';
import { countOfStudy } from '../studies/invitations.ts';
import { joinDetails } from '../studies/joining.ts';
import { removeMember } from '../studies/members.ts';
import { allMembers } from '../studies/schema.ts';
import { requireScope } from '../studies/scopes.ts';

/*
 * A program is a member of one study that nobody signs in as: a monitor with a token of the service, which reads and writes nothing.
 * Its token ends with its membership, and, by a trigger, for good once the owner who made it is an owner no more.
 */

/** An act of owners alone, for `requireOwner`. */
const handlesTokens = 'handle tokens for programs';

export interface NewProgram {
  label: string;
  /** Epoch ms. */
  expiresAt: number;
  /** The part of the study that it reads; all of it, if omitted. */
  scope?: PropertyRule | null | undefined;
}

/**
 * Makes a program a member of a study; for owners who have signed in just now. Resolves with the subject that its token names.
 * @throws request.invalid, resource.not-found, action.forbidden, auth.sign-in-stale, study.archived, limit.reached
 */
export async function createProgram(context: Context, investigation: string, program: NewProgram) {
  const { db, actor, now, limits } = context;
  const { label, expiresAt, scope = null } = program;
  const [id, subject] = [newIdentifier(now), newSecret()];
  const read = () =>
    [
      selectRole(db, investigation, actor),
      selectSize(db, investigation),
      countOfStudy(db, investigation, now),
      selectDeclared(db, investigation),
    ] as const;
  return logged(context, investigation, read, async ([[me], [size], [invited], [study]], write) => {
    requireOwner(me, handlesTokens);
    requireFreshSignIn(context, 'A token for a program');
    requireScope(scope, 'monitor', study?.properties ?? []);
    requireOpen(size);
    if ((size?.memberCount ?? 0) + (invited?.count ?? 0) >= limits.members)
      throw studyFull('members', limits.members);
    const details = { ...joinDetails(id, 'monitor', { properties: null, scope }), program: label };
    await write({ investigation, action: 'member.added', details }, [
      db.insert(users).values({
        id,
        issuer: participantIssuer,
        subject,
        name: label,
        madeBy: actor,
        expiresAt,
        createdAt: now,
      }),
      db.insert(allMembers).values({
        investigationId: investigation,
        // Null fails the batch if the actor is an owner no more, or the study was archived.
        userId: sql`case when ${whenMember(investigation, actor, 'owner')} and ${isOpenStudy(investigation)} then ${id} end`,
        role: 'monitor',
        scope,
        createdAt: now,
      }),
    ]);
    return { id, label, createdAt: now, createdBy: actor, expiresAt, scope, subject };
  });
}

export interface Program {
  id: string;
  label: string;
  createdAt: number;
  createdBy: string;
  /** Epoch ms. */
  expiresAt: number;
  scope: PropertyRule | null;
  /** The last day, by UTC, on which it made a request about the study. */
  lastUsedOn: string | null;
  /** 1: its maker is an owner no more. */
  ended: number;
}

/** In SQL: program `u` is a member of the study, for its owners. The index of staff asks for the second condition on roles. */
const programs = `member m join user u on u.id = m.user_id and u.made_by is not null
  where m.investigation_id = :investigation and m.role = 'monitor' and m.role <> 'responder'
    and ${textOf(whenMember(named('investigation'), named('actor'), 'owner'))}`;

/** The programs of a study, by identifier; for owners. One extra row if more follow. @throws resource.not-found, action.forbidden */
export async function listPrograms(
  { db, actor }: Context,
  investigation: string,
  { limit, after = '' }: { limit: number; after?: string | undefined },
): Promise<Program[]> {
  const [[me], rows] = await db.batch([
    selectRole(db, investigation, actor),
    query<Program>(
      db,
      `select u.id, u.name as label, u.created_at as createdAt, u.made_by as createdBy, u.expires_at as expiresAt, m.scope,
          (select max(d.day) from access_day d where d.investigation_id = :investigation and d.user_id = u.id) as lastUsedOn,
          u.subject is null as ended
        from ${programs} and m.user_id > :after order by m.user_id limit :limit`,
      { investigation, actor, after, limit: limit + 1 },
      { scope: JSON.parse },
    ),
  ]);
  requireOwner(me, handlesTokens);
  return rows;
}

/**
 * Ends the token of a program, at once here and within a minute elsewhere; for owners. @throws resource.not-found,
 * action.forbidden
 */
export async function endProgram(context: Context, investigation: string, id: string): Promise<void> {
  const { db, actor } = context;
  const [[me], [found]] = await db.batch([
    selectRole(db, investigation, actor),
    query<{ id: string }>(db, `select u.id from ${programs} and m.user_id = :id`, {
      investigation,
      actor,
      id,
    }),
  ]);
  requireOwner(me, handlesTokens);
  if (!found) throw notFound('token');
  await removeMember(context, { investigation, user: id });
}
