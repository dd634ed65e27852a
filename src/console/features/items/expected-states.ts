import type { Change } from './item-changes.ts';
import type { ItemState } from './item-kinds.ts';

/** What an item looks like before the service has answered; absent where only the service can tell. */
const expected: Partial<Record<Change, (item: ItemState) => Partial<ItemState>>> = {
  lock: ({ lockedAt }) => (lockedAt ? {} : { lockedAt: new Date().toISOString(), status: undefined }),
  unlock: ({ lockedAt }) =>
    lockedAt ? { lockedAt: undefined, lockSignature: undefined, status: 'active' } : {},
  archive: ({ lockedAt }) => (lockedAt ? {} : { status: 'archived' }),
  unarchive: ({ status }) => (status === 'archived' ? { status: 'active' } : {}),
};

/** Whether a change can be shown at once, since the same person can take it back. */
export const isExpectable = (change: Change): boolean => change in expected;

/** The item as it will be. */
export const asExpected = <Item extends ItemState>(change: Change, item: Item): Item => ({
  ...item,
  ...expected[change]?.(item),
});

/** Those of the items as they will be that the change is about. */
export const allAsExpected = <Item extends ItemState & { identifier: string }>(
  { change, ids }: { change: Change; ids: readonly string[] },
  items: readonly Item[],
): Item[] => items.map((item) => (ids.includes(item.identifier) ? asExpected(change, item) : item));
