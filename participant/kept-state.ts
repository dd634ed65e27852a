import { useEffect } from 'preact/hooks';
import type { Arrived } from './due.ts';
import type { Agreed } from './enrol.ts';
import { readOutbox } from './outbox.ts';
import { readReminding } from './reminding.ts';
import type { Reminding } from './reminding-state.ts';
import { readSession, type Session } from './session.ts';
import { newSharedValue } from './shared-value.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { onNotice, readKept } from './store.ts';
import type { Submission } from './submissions.ts';

/** A code that this page has made for the home screen, which may have used it since. */
export interface HomeCode {
  code: string;
  expiresAt: string;
}

/** All that the page shows, as this phone keeps it. */
export interface Kept {
  session: Session | undefined;
  snapshot: Snapshot | undefined;
  outbox: Submission[];
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
  homeCode: HomeCode | undefined;
  agreed: Agreed | undefined;
}

const shown = newSharedValue<Kept | 'lost' | undefined>(undefined);

/** Shows what is kept now. The screen stays as it is while only a later read fails. */
export const reload = (): void => void readAll().then(shown.set, () => shown.set(shown.read() ?? 'lost'));
onNotice(reload);

async function readAll(): Promise<Kept> {
  const [
    session,
    snapshot,
    outbox,
    arrived,
    device,
    clock,
    reminders,
    chosenZone,
    isZoneAsked,
    homeCode,
    agreed,
  ] = await Promise.all([
    readSession(),
    readSnapshot(),
    readOutbox(),
    readKept<Arrived[]>('arrived'),
    readKept<{ identifier: string }>('device'),
    readKept<number>('clock'),
    readReminding(),
    readKept<string>('chosen-zone'),
    readKept<true>('zone-asked'),
    readKept<HomeCode>('home-code'),
    readKept<Agreed>('agreed'),
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
    homeCode,
    agreed,
  };
}

/** Undefined until it is read; `lost` if this browser keeps nothing. */
export function useKept(): Kept | 'lost' | undefined {
  useEffect(reload, []);
  return shown.use();
}
