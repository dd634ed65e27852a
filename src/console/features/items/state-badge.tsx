import { strings as common } from '../../common-strings.ts';
import { Badge } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import type { ItemState } from './item-kinds.ts';
import { strings } from './item-strings.ts';

/** The state of an item: locked, since when and with which signature, archived, or deleted. */
export function StateBadge({ item: { lockedAt, status, lockSignature } }: { item: ItemState }) {
  if (lockedAt)
    return (
      <span class="state">
        <Badge tone="accent" icon="lock">
          {common.status.locked}
        </Badge>
        <span class="muted">
          <Time at={lockedAt} />
        </span>
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
