import { Badge } from '../components/states.tsx';
import { formatTime } from '../format.ts';
import { strings as common } from '../strings/common.ts';
import { strings } from '../strings/data.ts';
import type { ItemState } from './items.ts';

/** In which state an item is: locked since when, archived, or deleted. */
export function StateBadge({ item: { lockedAt, status, lockSignature } }: { item: ItemState }) {
  if (lockedAt)
    return (
      <span
        title={[
          strings.lockedSince(formatTime(lockedAt)),
          lockSignature && strings.response.signed(lockSignature.name, lockSignature.meaning),
        ]
          .filter(Boolean)
          .join('. ')}
      >
        <Badge tone="accent" icon="lock">
          {common.status.locked}
        </Badge>
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
