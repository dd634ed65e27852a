import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isOpenStudy } from '../permissions/edit-guards.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { allMembers, investigations } from '../studies/schema.ts';

/*
 * A case that a phone makes for its person has no name, which would stay when the person deletes their account: its label
 * is their code in the study, else "Participant" and their number.
 */

/** More bytes than a code of 40 characters has. */
export const ownLabelBytes = 160;

const isActor = (investigation: string, actor: string) =>
  and(eq(allMembers.investigationId, investigation), eq(allMembers.userId, actor));

/** In SQL: the label. Needs {@link numberMember} before. */
export const ownLabel = (investigation: string, actor: string): SQL<string> =>
  sql`coalesce(${codeOf(investigation, actor)}, 'Participant ' || (
    select number from member where ${isActor(investigation, actor)}))`;

/** Two statements that give the actor a number, if the label needs one: people who enrolled by a code have it. */
export function numberMember({ db, actor }: Context, investigation: string) {
  const needsNumber = and(isActor(investigation, actor), sql`number is null`);
  const isNeeded = sql`${codeOf(investigation, actor)} is null and ${isOpenStudy(investigation)}`;
  return [
    db
      .update(investigations)
      .set({ enrolledCount: sql`${investigations.enrolledCount} + 1` })
      .where(
        and(
          eq(investigations.id, investigation),
          sql`exists (select 1 from member where ${needsNumber})`,
          isNeeded,
        ),
      ),
    db
      .update(allMembers)
      .set({ number: sql`(select enrolled_count from investigation where id = ${investigation})` })
      .where(and(needsNumber, isNeeded)),
  ] as const;
}
