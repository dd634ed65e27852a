import { and, type Column, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { forbidden, Problem } from '../errors.ts';
import type { cases, responses } from '../items/schema.ts';
import { groupsFrozen, shownGroups, studyFrozen } from './frozen-groups.ts';
import type { PropertyRule } from './groups.ts';
import type { Role } from './roles.ts';
import { mayEdit, stillHasRole } from './visibility.ts';

/** An item as it was read before an edit. */
interface Editable {
  id: string;
  role: Role;
  lockedAt: number | null;
  archivedAt: number | null;
  revisionId: string;
}

/** The interface's name of the item, and the creator of the case or the responder. */
interface Owned {
  noun: 'case' | 'response';
  owner: string;
}

/**
 * Refuses an edit that the actor may not make. `stillEditable` checks state, role and revision again in the statement
 * that writes. @throws action.forbidden, item.locked, item.archived, revision.stale
 */
export function checkEdit(
  actor: string,
  { noun, owner, role, lockedAt, archivedAt, revisionId }: Editable & Owned,
  ifMatch: readonly string[] | undefined,
): void {
  if (!mayEdit(role, owner, actor)) throw forbidden(`You may not edit this ${noun}.`);
  if (lockedAt !== null) throw locked('', `The ${noun} is locked: unlock it first.`);
  if (archivedAt !== null) throw archived('', `The ${noun} is archived: bring it back first.`);
  checkRevision(noun, revisionId, ifMatch);
}

/** `ifMatch` has the acceptable revisions. @throws revision.stale */
export function checkRevision(noun: string, current: string, ifMatch: readonly string[] | undefined): void {
  if (ifMatch && !ifMatch.includes(current))
    throw new Problem('revision.stale', `The ${noun} is not at that revision: read it again.`);
}

/** In SQL: the item is unchanged since the read, and neither locked, archived nor deleted. */
export const stillEditable = (
  table: typeof cases | typeof responses,
  before: Pick<Editable, 'id' | 'role' | 'revisionId'>,
  actor: string,
) =>
  and(
    eq(table.id, before.id),
    eq(table.revisionId, before.revisionId),
    isNull(table.lockedAt),
    isNull(table.archivedAt),
    isNull(table.deletedAt),
    stillHasRole(table.investigationId, actor, before.role),
  );

export const locked = (pointer: string, detail: string) =>
  new Problem('item.locked', detail, { errors: [{ pointer, detail: 'This item is locked.' }] });

export const archived = (pointer: string, detail: string) =>
  new Problem('item.archived', detail, { errors: [{ pointer, detail: 'This item is archived.' }] });

/** In SQL: the study's row meets the conditions, which name its columns. */
export const isStudy = (investigation: string | Column, ...conditions: SQL[]): SQL =>
  sql`exists (select 1 from investigation where ${sql.join([sql`id = ${investigation}`, ...conditions], sql` and `)})`;

/**
 * In SQL: the study is open for new resources, and has room for them by these limits. Each statement that creates something
 * in a study has this condition, and `requireOpen` gives the error.
 */
export const isOpenStudy = (investigation: string | Column, ...limits: SQL[]): SQL =>
  isStudy(investigation, sql`archived_at is null`, ...limits);

interface Freezable {
  role?: Role;
  frozenAt: number | null;
  /** The frozen group that the thing is in; null or absent: none. */
  frozenGroup?: PropertyRule | null | undefined;
}

/** @throws study.frozen */
export function requireUnfrozen(study: Freezable | undefined): void {
  if (!study) return;
  const { role = 'responder', frozenAt, frozenGroup } = study;
  if (frozenAt !== null) throw studyFrozen();
  if (frozenGroup) throw groupsFrozen(shownGroups({ role }, [frozenGroup]));
}

/** @throws study.archived */
export function requireOpen(study: { archivedAt: number | null } | undefined): void {
  if (study && study.archivedAt !== null)
    throw new Problem('study.archived', 'The study is archived and takes nothing new: bring it back first.');
}
