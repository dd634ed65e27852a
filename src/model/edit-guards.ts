import { and, eq, isNull } from 'drizzle-orm';
import type { cases, Role, responses } from '../db/schema.ts';
import { forbidden, Problem } from '../errors.ts';
import { mayEdit, stillHasRole } from './visibility.ts';

/** An item as it was read before an edit. */
interface Editable {
  role: Role;
  /** Who created the case or gave the response. */
  owner: string;
  lockedAt: number | null;
  revisionId: string;
}

/**
 * Whether the actor may edit what they see. The statement that writes asks for the lock and the revision once
 * more. @throws action.forbidden, item.locked, revision.stale
 */
export function checkEdit(
  noun: 'case' | 'response',
  before: Editable,
  actor: string,
  ifMatch: readonly string[] | undefined,
): void {
  if (!mayEdit(before.role, before.owner, actor)) throw forbidden(`You may not edit this ${noun}.`);
  if (before.lockedAt !== null) throw locked('', `The ${noun} is locked: unlock it first.`);
  if (ifMatch && !ifMatch.includes(before.revisionId))
    throw new Problem('revision.stale', `The ${noun} is not at that revision: read it again.`);
}

/** What the statement that writes an edit asks for: the item stands as it was read, and is neither locked nor gone. */
export const stillEditable = (
  table: typeof cases | typeof responses,
  before: Pick<Editable, 'role' | 'revisionId'> & { id: string },
  actor: string,
) =>
  and(
    eq(table.id, before.id),
    eq(table.revisionId, before.revisionId),
    isNull(table.lockedAt),
    isNull(table.deletedAt),
    stillHasRole(table.investigationId, actor, before.role),
  );

export const locked = (pointer: string, detail: string) =>
  new Problem('item.locked', detail, { errors: [{ pointer, detail: 'This item is locked.' }] });
