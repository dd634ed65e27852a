import { useId } from 'preact/hooks';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import type { IconName } from '../../components/icon.tsx';
import { useStudy } from '../../study-context.ts';
import { type Change, maxItems, mayUnlock } from './item-changes.ts';
import type { ItemState, Kind } from './item-kinds.ts';
import { strings } from './item-strings.ts';

const icons: Record<Change, IconName> = {
  lock: 'lock',
  unlock: 'unlock',
  archive: 'archive',
  unarchive: 'restore',
  delete: 'trash',
  restore: 'restore',
};

interface Props {
  items: readonly ItemState[];
  /** Whether all of them belong to this person: the creator of a case, the responder of a response. */
  isOwn: boolean;
  onAsk: (change: Change) => void;
  /** The page of one item changes its content too. */
  edit?: { kind: Kind; onEdit: () => void };
}

/**
 * The changes that this person can make to these items. Those that the present state forbids stay in their places, and
 * say why they cannot be pressed.
 */
export function ChangeButtons({ items, isOwn, onAsk, edit }: Props) {
  const { study, can } = useStudy();
  const why = useId();
  if (study.frozenAt) return <span class="muted">{common.problem.byCode['study.frozen']}</span>;
  if (items.length > maxItems) return <span class="muted">{strings.tooMany(maxItems)}</span>;
  const changesContent = can('record');
  const unlocks = mayUnlock(study, items);
  const some = (fits: (item: ItemState) => boolean) => items.some(fits);
  const isLocked = some(({ lockedAt }) => Boolean(lockedAt));
  const isArchived = some(({ status }) => status === 'archived');
  const isOpen = !some(({ status }) => status === 'deleted');
  const offered: Record<Change, boolean> = {
    lock: isOpen && some(({ lockedAt }) => !lockedAt),
    unlock: isLocked && unlocks,
    archive:
      changesContent && isOpen && some(({ status, lockedAt }) => status === 'active' || Boolean(lockedAt)),
    unarchive: changesContent && isArchived,
    delete: changesContent && isOpen,
    restore: !isOpen && can('own'),
  };
  const forbidden =
    !can('edit') && !isOwn
      ? strings.blocked.notOwn
      : isLocked
        ? unlocks
          ? strings.blocked.locked
          : strings.blocked.lockedForOwners
        : undefined;
  const notEdited = edit && (forbidden ?? (isArchived ? strings.blocked.archived : undefined));
  const blockedBy = (reason: string | undefined) => (reason === undefined ? undefined : why);
  return (
    <>
      {edit && changesContent && (
        <Button icon="pencil" blockedBy={blockedBy(notEdited)} onClick={edit.onEdit}>
          {strings.edit[edit.kind]}
        </Button>
      )}
      {(Object.keys(offered) as Change[])
        .filter((change) => offered[change])
        .map((change) => (
          <Button
            key={change}
            icon={icons[change]}
            // Everybody who sees an item may lock it, and unlock it as far as the study allows.
            blockedBy={change === 'lock' || change === 'unlock' ? undefined : blockedBy(forbidden)}
            onClick={() => onAsk(change)}
          >
            {strings.changes[change]}
          </Button>
        ))}
      {changesContent && (notEdited ?? forbidden) && (
        <span id={why} class="blocked muted">
          {notEdited ?? forbidden}
        </span>
      )}
    </>
  );
}
