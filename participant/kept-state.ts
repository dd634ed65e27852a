import { useEffect } from 'preact/hooks';
import type { Arrived } from './due.ts';
import type { Agreed } from './enrol.ts';
import { readOutbox } from './outbox.ts';
import { readReminding } from './reminding.ts';
import { readSession } from './session.ts';
import { newSharedValue } from './shared-value.ts';
import { readSnapshot } from './snapshot.ts';
import { onNotice, readKept } from './store.ts';

/** A code that this page has made for the home screen, which may have used it since. */
export interface HomeCode {
  code: string;
  expiresAt: string;
}

const readers = {
  session: readSession,
  snapshot: readSnapshot,
  outbox: readOutbox,
  arrived: async () => (await readKept<Arrived[]>('arrived')) ?? [],
  /** The identifier of this phone at the service, while it gets pushes. */
  device: async () => (await readKept<{ identifier: string }>('device'))?.identifier,
  /** Milliseconds by which the service's clock is ahead of the phone's, as far as is known. */
  clock: async () => (await readKept<number>('clock')) ?? 0,
  /** Whether reminders reach this phone. */
  reminders: () => readReminding(),
  /** The zone that somebody chose for reminders, in place of the phone's. */
  chosenZone: () => readKept<string>('chosen-zone'),
  isZoneAsked: async () => (await readKept<true>('zone-asked')) === true,
  homeCode: () => readKept<HomeCode>('home-code'),
  /** The text that the person agreed to. */
  agreed: () => readKept<Agreed>('agreed'),
};

/** All that the page shows, as this phone keeps it. */
export type Kept = { [Name in keyof typeof readers]: Awaited<ReturnType<(typeof readers)[Name]>> };

const readAll = async () =>
  Object.fromEntries(
    await Promise.all(Object.entries(readers).map(async ([name, read]) => [name, await read()])),
  ) as Kept;

const shown = newSharedValue<Kept | 'lost' | undefined>(undefined);

/** Shows what is kept now. The screen stays as it is while only a later read fails. */
export const reload = (): void => void readAll().then(shown.set, () => shown.set(shown.read() ?? 'lost'));
onNotice(reload);

/** Undefined until it is read; `lost` if this browser keeps nothing. */
export function useKept(): Kept | 'lost' | undefined {
  useEffect(reload, []);
  return shown.use();
}
