import { isProblem } from './api.ts';
import { withLock } from './locks.ts';
import { readPermission } from './permission.ts';
import { endPushes, forgetRetired, PushError, subscribe, unsubscribe } from './push.ts';
import { readRegistration } from './registration.ts';
import { type Check, type Reminding, remindingOf } from './reminding-state.ts';
import { readSession } from './session.ts';
import { keep, readKept } from './store.ts';

/* Reminders of this phone: started, kept alive and ended, as its browser and its person want it. */

export const readReminding = async (now = Date.now()): Promise<Reminding> =>
  remindingOf({
    permission: readPermission(),
    device: (await readKept<{ identifier: string }>('device'))?.identifier,
    wanted: await readKept<boolean>('wants-reminders'),
    check: await readKept<Check>('reminders-look'),
    now,
  });

const note = (isWell: boolean) => keep('reminders-look', { at: Date.now(), isWell } satisfies Check);

/** Somebody allowed reminders. @returns false if the service sends no web pushes. @throws PushError, ProblemError */
export async function startReminders(language: string): Promise<boolean> {
  await keep('wants-reminders', true);
  return check(language);
}

/** Somebody stopped them, or the person of this phone is another one. */
export async function stopReminders(): Promise<void> {
  await unsubscribe(await readRegistration());
  await keep('wants-reminders', false);
  await keep('reminders-look', undefined);
}

/**
 * The zone or the subscription of the phone may have changed, or what it may show; only where reminders were wanted.
 * @throws PushError, ProblemError, MemoryError, or the error of `fetch`
 */
export const keepReminders = (language: string): Promise<void> => alone(() => keepUp(language));

/** Of two at once, in two tabs, one would undo what the other did. */
const alone = <T>(act: () => Promise<T>): Promise<T> => withLock('fieldbell.reminders', act);

async function keepUp(language: string) {
  const session = await readSession();
  if (!session || session.ended) return;
  const permission = readPermission();
  const isRegistered = (await readKept('device')) !== undefined;
  const isWanted = (await readKept<boolean>('wants-reminders')) ?? isRegistered;
  if (isWanted && permission === 'granted') await check(language);
  else if (isRegistered && permission !== 'install') await standDown(isWanted);
  await forgetRetired();
}

/** Notifications were switched off: the study has to know, and they start by themselves once they are allowed again. */
async function standDown(isWanted: boolean) {
  await keep('wants-reminders', isWanted);
  await unsubscribe(await readRegistration());
}

async function check(language: string): Promise<boolean> {
  try {
    const registration = await readRegistration();
    if (!registration) throw new PushError('there is no service worker');
    const isThere = await subscribe(registration, language);
    await note(isThere);
    return isThere;
  } catch (error) {
    // Without a network nothing is new.
    if (error instanceof PushError || isProblem(error)) await note(false);
    throw error;
  }
}

/** The token of this phone has ended: nothing of its person is shown here any more. */
export const endHere = (): Promise<void> =>
  alone(async () => {
    if ((await readKept('device')) !== undefined) await keep('wants-reminders', true);
    await endPushes((await readRegistration())?.pushManager);
  });
