import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import type { IconName } from '../../components/icon.tsx';
import { useStudy } from '../../study-context.ts';
import { type Change, maxItems } from './item-changes.ts';
import type { ItemState } from './item-kinds.ts';
import { strings } from './item-strings.ts';

const icons: Record<Change, IconName> = {
  lock: 'lock',
  unlock: 'unlock',
  archive: 'archive',
  unarchive: 'restore',
  delete: 'trash',
  restore: 'restore',
};

/** The changes that this person can make to these items in their present state. */
export function ChangeButtons({
  items,
  onAsk,
}: {
  items: readonly ItemState[];
  onAsk: (change: Change) => void;
}) {
  const { study } = useStudy();
  if (study.frozenAt) return <span class="muted">{common.problem.byCode['study.frozen']}</span>;
  if (items.length > maxItems) return <span class="muted">{strings.tooMany(maxItems)}</span>;
  const isOwner = study.role === 'owner';
  const some = (fits: (item: ItemState) => boolean) => items.some(fits);
  const isOpen = !some(({ status }) => status === 'deleted');
  const offered: Record<Change, boolean> = {
    lock: isOpen && some(({ lockedAt }) => !lockedAt),
    unlock: some(({ lockedAt }) => Boolean(lockedAt)) && (isOwner || study.lockPolicy.unlock === 'viewers'),
    archive: isOpen && some(({ status, lockedAt }) => status === 'active' || Boolean(lockedAt)),
    unarchive: some(({ status }) => status === 'archived'),
    delete: isOpen,
    restore: !isOpen && isOwner,
  };
  return (
    <>
      {(Object.keys(offered) as Change[])
        .filter((change) => offered[change])
        .map((change) => (
          <Button key={change} icon={icons[change]} onClick={() => onAsk(change)}>
            {strings.changes[change]}
          </Button>
        ))}
    </>
  );
}
