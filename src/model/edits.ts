import type { Role } from '../db/schema.ts';
import { forbidden, Problem } from '../errors.ts';
import { mayEdit } from './visibility.ts';

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

export const locked = (pointer: string, detail: string) =>
  new Problem('item.locked', detail, { errors: [{ pointer, detail: 'This item is locked.' }] });
