import { api, read, request } from './api.ts';
import { keepReminders, stopReminders } from './reminding.ts';
import { readSession, type Session } from './session.ts';
import { type Me, readSnapshot, refresh } from './snapshot.ts';
import { forgetAll, keep } from './store.ts';
import { ForeignAnswer } from './verdict.ts';
import { deviceZone } from './zone.ts';

/* Decisions of participants: each needs the service, and shows its answer. */

const me = { param: { id: 'me' } };

export async function changeMe(
  json:
    | { customRemindersTime: string | null }
    | { quietHours: { from: string; to: string } | null }
    | { timeZone: string | null },
): Promise<void> {
  await showMe((await read(api.user[':id'].$patch({ ...me, json }))) as Me);
}

/** The zone of reminders; undefined: the phone's. */
export async function chooseZone(zone: string | undefined, language: string): Promise<void> {
  await changeMe({ timeZone: zone ?? deviceZone() ?? null });
  await keep('chosen-zone', zone);
  // The zone of a phone with reminders goes before the person's.
  await keepReminders(language);
  await refresh().catch(() => undefined);
}

export async function pauseUntil(until: string | null): Promise<void> {
  await showMe((await read(api.user[':id'].pause.$put({ ...me, json: { until } }))) as Me);
}

export async function resume(): Promise<void> {
  await api.user[':id'].pause.$delete({ ...me, query: {} });
  await refresh();
}

/** At once; what it changes for the next reminders comes with a refresh, which may fail. */
async function showMe(changed: Me) {
  const snapshot = await readSnapshot();
  if (snapshot) await keep('snapshot', { ...snapshot, me: changed });
  await refresh().catch(() => undefined);
}

/** Only the service's own word ends something: the page of a Wi-Fi says 200 to everything. @throws ForeignAnswer */
function requireDone({ status }: { status: number }) {
  if (status !== 204) throw new ForeignAnswer();
}

/** Leaves the study of this phone. The account stays, for the data. */
export async function leave(): Promise<void> {
  const { study, user } = (await readSession()) as Session;
  requireDone(
    await api.investigation[':id'].member[':user'].$delete({ param: { id: study.identifier, user } }),
  );
  await stopReminders().catch(() => undefined);
  await refresh();
}

let isDeleted = false;
/** Whether somebody has deleted their account while this page was open. */
export const wasDeleted = (): boolean => isDeleted;

/** Deletes the account; this phone then knows nothing any more. */
export async function deleteMe(): Promise<void> {
  requireDone(await api.user[':id'].$delete(me));
  isDeleted = true;
  await stopReminders().catch(() => undefined);
  await forgetAll();
}

/** Saves all that the service holds about the participant as a file. */
export async function exportMine(): Promise<void> {
  const answer = await request('/user/me/export');
  if (!/json/.test(answer.headers.get('content-type') ?? '')) throw new ForeignAnswer();
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `fieldbell-${new Date().toISOString().slice(0, 10)}.ndjson`;
  link.click();
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
