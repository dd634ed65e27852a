import { strings as common } from '../../common-strings.ts';
import { Coded } from '../../components/person.tsx';
import { Badge } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import type { ItemState } from './item-kinds.ts';
import { strings } from './item-strings.ts';

/**
 * The state of an item: locked, archived or deleted. A lock shows its time, and to owners and editors its author, reason
 * and signature.
 */
export function StateBadge({ item: { lockedAt, status, lock, lockSignature } }: { item: ItemState }) {
  if (lockedAt)
    return (
      <span class="state">
        <Badge tone="accent" icon="lock">
          {common.status.locked}
        </Badge>
        <span class="muted">
          <Time at={lockedAt} />
        </span>
        {lock && (
          <span class="muted">
            {strings.lockedBy} <Coded name={lock.actorName || common.formerMember} code={lock.code} />
          </span>
        )}
        {lock?.reason !== undefined && (
          <span class="muted lock-reason" dir="auto">
            {strings.quoted(lock.reason)}
          </span>
        )}
        {lockSignature && (
          <span class="muted" dir="auto">
            {strings.signed(lockSignature.name, lockSignature.meaning)}
          </span>
        )}
      </span>
    );
  if (status === 'archived')
    return (
      <Badge tone="plain" icon="archive">
        {common.status.archived}
      </Badge>
    );
  if (status === 'deleted')
    return (
      <Badge tone="bad" icon="trash">
        {common.status.deleted}
      </Badge>
    );
  return <Badge tone="good">{common.status.active}</Badge>;
}
