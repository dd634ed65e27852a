import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { noteShownName } from '../permissions/noted-changes.ts';
import { invitationLifetimeMs, memberCodes } from './schema.ts';

/** A code of a study, and the user or the address that it is for. */
export interface CodeOwner {
  investigation: string;
  code: string;
  user?: string;
  email?: string;
}

/** In SQL: another member or former member has the code, or another open invitation reserves it. */
export const isTaken = ({ investigation, code, user = '', email = '' }: CodeOwner, now: number): SQL =>
  sql`(exists (select 1 from member_code c
      where c.investigation_id = ${investigation} and c.code = ${code} and c.user_id <> ${user})
    or exists (select 1 from invitation v where v.investigation_id = ${investigation} and v.code = ${code}
      and v.email <> ${email} and v.created_at > ${now - invitationLifetimeMs}))`;

/** One row: whether the code is taken. No code is never taken. */
export const selectTaken = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  { code, ...owner }: Omit<CodeOwner, 'code'> & { code: string | null | undefined },
) =>
  db
    .select({ taken: sql<number>`${code == null ? sql`0` : isTaken({ ...owner, code }, now)}`.as('taken') })
    .from(sql`(select 1)`);

/** The statements that give a user a code, or remove it (null). They fail their batch if the code was taken since. */
export const setCode = (
  context: Pick<Context, 'db' | 'now'>,
  change: { investigation: string; user: string; code: string | null },
) => [writeCode(context, change), noteShownName(context, change.user, [change.investigation])];

function writeCode(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { investigation, user, code }: { investigation: string; user: string; code: string | null },
) {
  if (code === null) return dropCode(db, investigation, user);
  const given = sql<string>`case when not ${isTaken({ investigation, code, user }, now)} then ${code} end`;
  return db
    .insert(memberCodes)
    .values({ userId: user, investigationId: investigation, code: given })
    .onConflictDoUpdate({
      target: [memberCodes.userId, memberCodes.investigationId],
      set: { code: sql`excluded.code` },
    });
}

const dropCode = (db: Database, investigation: string, user: string) =>
  db
    .delete(memberCodes)
    .where(and(eq(memberCodes.userId, user), eq(memberCodes.investigationId, investigation)));

export const codeTaken = () =>
  new Problem(
    'member.code-taken',
    'Another person of this study has or had this code, or is invited with it.',
    {
      errors: [{ pointer: '/code', detail: 'Expected a code that no other person of this study has.' }],
    },
  );
