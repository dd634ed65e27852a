import { useEffect, useState } from 'preact/hooks';
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

/** A change that is shown before the service has made it. */
export interface Expectation {
  /** It was made: what the service says next replaces it. */
  keep: () => void;
  /** It was refused: the items are shown as they were. */
  rollBack: () => void;
}

interface Ahead {
  ids: ReadonlySet<string>;
  change: Change;
  isMade: boolean;
}

/** Whether a change can be shown at once, since the same person can take it back. */
export const isExpectable = (change: Change): boolean => change in expected;

/** Shows items as they will be while a change of them is under way. `data` is what the service said last. */
export function useAhead(data: unknown) {
  const [ahead, setAhead] = useState<readonly Ahead[]>([]);
  useEffect(() => setAhead((now) => now.filter(({ isMade }) => !isMade)), [data]);

  function expect(change: Change, ids: readonly string[]): Expectation {
    const one: Ahead = { ids: new Set(ids), change, isMade: false };
    setAhead((now) => [...now, one]);
    const replace = (...by: Ahead[]) =>
      setAhead((now) => now.flatMap((other) => (other === one ? by : [other])));
    return { keep: () => replace({ ...one, isMade: true }), rollBack: () => replace() };
  }

  function shown<Item extends ItemState>(id: string, item: Item): Item {
    let now = item;
    for (const { ids, change } of ahead) if (ids.has(id)) now = { ...now, ...expected[change]?.(now) };
    return now;
  }

  return { expect, shown };
}
