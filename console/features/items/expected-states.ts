import type { Change } from './item-changes.ts';
import type { ItemState } from './item-kinds.ts';

/** The expected state of an item before the service has answered; absent if only the service can tell. */
const expected: Partial<Record<Change, (item: ItemState) => Partial<ItemState>>> = {
  lock: ({ lockedAt }) => (lockedAt ? {} : { lockedAt: new Date().toISOString(), status: undefined }),
  unlock: ({ lockedAt }) =>
    lockedAt ? { lockedAt: undefined, lock: undefined, lockSignature: undefined, status: 'active' } : {},
  archive: ({ lockedAt }) => (lockedAt ? {} : { status: 'archived' }),
  unarchive: ({ status }) => (status === 'archived' ? { status: 'active' } : {}),
};

/** Whether a change can be shown at once, because the same person can undo it. */
export const isExpectable = (change: Change): boolean => change in expected;

/** The item after the change. */
export const asExpected = <Item extends ItemState>(change: Change, item: Item): Item => ({
  ...item,
  ...expected[change]?.(item),
});

/** The changed items among all expected ones. */
export const allAsExpected = <Item extends ItemState & { identifier: string }>(
  { change, ids }: { change: Change; ids: readonly string[] },
  items: readonly Item[],
): Item[] => items.map((item) => (ids.includes(item.identifier) ? asExpected(change, item) : item));
