import { useEffect, useState } from 'preact/hooks';
import type { Arrived } from './due.ts';
import type { Given } from './given.ts';
import { readOutbox } from './outbox.ts';
import { readReminding } from './reminding.ts';
import type { Reminding } from './reminding-state.ts';
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
  /** Whether reminders reach this phone. */
  reminders: Reminding;
  /** The zone that somebody chose for reminders, in place of the phone's. */
  chosenZone: string | undefined;
  isZoneAsked: boolean;
}

const watchers = new Set<() => void>();

/** Shows what is kept now. */
export const reload = (): void => {
  for (const watcher of watchers) watcher();
};
onTold(reload);

async function readAll(): Promise<Kept> {
  const [session, snapshot, outbox, arrived, device, clock, reminders, chosenZone, isZoneAsked] =
    await Promise.all([
      readSession(),
      readSnapshot(),
      readOutbox(),
      readKept<Arrived[]>('arrived'),
      readKept<{ identifier: string }>('device'),
      readKept<number>('clock'),
      readReminding(),
      readKept<string>('chosen-zone'),
      readKept<true>('zone-asked'),
    ]);
  return {
    session,
    snapshot,
    outbox,
    arrived: arrived ?? [],
    device: device?.identifier,
    clock: clock ?? 0,
    reminders,
    chosenZone,
    isZoneAsked: isZoneAsked === true,
  };
}

/** Undefined until it is read; `lost` if this browser keeps nothing. */
export function useKept(): Kept | 'lost' | undefined {
  const [kept, setKept] = useState<Kept | 'lost'>();
  useEffect(() => {
    // The screen stays as it is while only a later look fails.
    const read = () => void readAll().then(setKept, () => setKept((last) => last ?? 'lost'));
    watchers.add(read);
    read();
    return () => void watchers.delete(read);
  }, []);
  return kept;
}
