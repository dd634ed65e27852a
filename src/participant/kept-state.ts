import { useEffect, useState } from 'preact/hooks';
import type { Arrived } from './due.ts';
import { type Given, readOutbox } from './outbox.ts';
import { readSession, type Session } from './session.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { onTold, readKept } from './store.ts';

/** All that the page shows, as this phone keeps it. */
export interface Kept {
  session: Session | undefined;
  snapshot: Snapshot | undefined;
  outbox: Given[];
  arrived: Arrived[];
  /** The identifier of this phone at the service, while it gets pushes. */
  device: string | undefined;
  /** Milliseconds by which the service's clock is ahead of the phone's, as far as is known. */
  clock: number;
}

const watchers = new Set<() => void>();

/** Shows what is kept now. */
export const reload = (): void => {
  for (const watcher of watchers) watcher();
};
onTold(reload);

async function readAll(): Promise<Kept> {
  const [session, snapshot, outbox, arrived, device, clock] = await Promise.all([
    readSession(),
    readSnapshot(),
    readOutbox(),
    readKept<Arrived[]>('arrived'),
    readKept<{ identifier: string }>('device'),
    readKept<number>('clock'),
  ]);
  return { session, snapshot, outbox, arrived: arrived ?? [], device: device?.identifier, clock: clock ?? 0 };
}

/** Undefined until it is read. */
export function useKept(): Kept | undefined {
  const [kept, setKept] = useState<Kept>();
  useEffect(() => {
    const read = () => void readAll().then(setKept);
    watchers.add(read);
    read();
    return () => void watchers.delete(read);
  }, []);
  return kept;
}
