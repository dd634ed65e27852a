import { rootMessage } from '../errors.ts';
import { retry } from '../retry.ts';
import type { Services, Unrecorded } from '../services.ts';
import type { Changes } from './changes.ts';
import type { DuePush } from './lifecycle.ts';
import { writeChanges } from './record.ts';
import { canRecord, noteUnwritten, noteWritten } from './writes.ts';

/** Attempts of one delivery to record a push, which cannot be undone. The next delivery goes on with them. */
const recordRetry = { baseMs: 1_000, maxMs: 8_000, maxAttempts: 5 };

/** The changes of one survey's reminders, and the push that is among them. */
export interface CarriedOut {
  changes: Changes;
  push: DuePush | undefined;
}

/** Kept as JSON. */
interface Kept {
  changes: Changes[];
  /** The expiry of the last of the reminders (epoch ms), after which none of them can be pushed again. */
  expiresAt: number;
}

/** A delivery ended before its pushes, because they would have no record. */
export class CannotRecord extends Error {
  override readonly name = 'CannotRecord';

  constructor() {
    super('The database takes no writes, so nothing is pushed.');
  }
}

/** Keeps texts as long as the process lives, of about `max` users. */
export function keepInMemory(max = 1_000): Unrecorded {
  const texts = new Map<string, string>();
  return {
    read: async (user) => texts.get(user) ?? null,
    async write(user, text) {
      if (text === null) texts.delete(user);
      else texts.set(user, text);
    },
    isFull: () => texts.size >= max,
  };
}

type Pushing = Pick<Services, 'db' | 'writes' | 'unrecorded' | 'now' | 'log'>;

/** Whether a push could be recorded. @param maxAgeMs as of {@link canRecord} */
export const mayPush = async (services: Pushing, maxAgeMs?: number): Promise<boolean> =>
  !services.unrecorded.isFull() && (await canRecord(services, maxAgeMs));

/** Records pushes to a user. From the first attempt that fails until one succeeds, they are kept as well. */
export async function recordPushes(
  services: Pushing,
  user: string,
  carriedOut: readonly CarriedOut[],
): Promise<{ refused: string[] }> {
  const all = carriedOut.map(({ changes }) => changes);
  let isKept = false;
  const write = async () => {
    try {
      return await writeChanges({ ...services, now: services.now() }, all);
    } catch (error) {
      noteUnwritten(services);
      if (!isKept) await services.unrecorded.write(user, textOf(carriedOut));
      isKept = true;
      throw error;
    }
  };
  const written = await retry(write, recordRetry);
  noteWritten(services);
  if (isKept) await services.unrecorded.write(user, null);
  return written;
}

/** Surveys without a push are left out: the next delivery decides them again. */
function textOf(carriedOut: readonly CarriedOut[]): string {
  const pushed = carriedOut.filter(({ push }) => push);
  const kept: Kept = {
    changes: pushed.map(({ changes }) => changes),
    expiresAt: Math.max(...pushed.map(({ push }) => push?.expiresAt ?? 0)),
  };
  return JSON.stringify(kept);
}

/**
 * Records the pushes of an earlier delivery to the user that have no record yet. The delivery that follows repeats a plan
 * among them that is refused. A record that the database refuses while it takes others is given up once its reminders have
 * expired, because it would keep back all later reminders of the user.
 * @throws errors of the database
 */
export async function recordKept(services: Pushing, user: string): Promise<void> {
  const text = await services.unrecorded.read(user);
  if (text === null) return;
  const { changes, expiresAt } = JSON.parse(text) as Kept;
  const write = async () => {
    await writeChanges({ ...services, now: services.now() }, changes);
    noteWritten(services);
  };
  try {
    await write();
  } catch (error) {
    noteUnwritten(services);
    if (services.now() < expiresAt || !(await canRecord(services))) throw error;
    // The database may take writes again just since then.
    await write().catch((again) =>
      services.log({ event: 'delivery.unrecorded', level: 'error', error: rootMessage(again) }),
    );
  }
  await services.unrecorded.write(user, null);
}
