import { eq } from 'drizzle-orm';
import { devices } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';
import { type Foreseen, foresee } from '../../schedule/agenda.ts';
import { textFor } from '../../schedule/languages.ts';
import type { Context } from '../context.ts';
import { selectAlive } from '../users.ts';
import { answersSinceMs, maxSurveys } from './due.ts';
import { selectReminders, toReminders, type UserReminders } from './state.ts';

export interface Agenda {
  /** How many occurrences. */
  count: number;
  /** One of the user's devices, whose language the texts are in. */
  device?: string | undefined;
}

/** An occurrence with what it says. */
export type AgendaEntry = Foreseen<UserReminders> & ReturnType<typeof textFor>;

/**
 * What comes next for a user, over all their surveys; of many surveys those count that are due first. One round trip, or
 * two for users with many surveys. @throws resource.not-found for another's device
 */
export async function readAgenda(
  context: Pick<Context, 'db' | 'now' | 'log'>,
  user: string,
  { count, device }: Agenda,
): Promise<AgendaEntry[]> {
  const { now } = context;
  const { rows, language } = await readRows(context, user, { device, crowded: false });
  const states = await toReminders(context, rows, true);
  return foresee(states, now, count).map((found) => ({ ...found, ...textFor(found.state.texts, language) }));
}

async function readRows(
  context: Pick<Context, 'db' | 'now'>,
  user: string,
  { device, crowded }: { device: string | undefined; crowded: boolean },
) {
  const { db, now } = context;
  const selection = { answeredSince: now - answersSinceMs, limit: maxSurveys + 1 };
  const [[me], rows, phones] = await db.batch([
    selectAlive(db, user),
    selectReminders(db, [user], selection, crowded),
    db.select({ id: devices.id, language: devices.language }).from(devices).where(eq(devices.userId, user)),
  ]);
  if (!me) throw notFound('user');
  if (rows.length > maxSurveys && !crowded) return readRows(context, user, { device, crowded: true });
  const phone = phones.find(({ id }) => id === device);
  if (device !== undefined && !phone) throw notFound('device');
  return { rows: rows.slice(0, maxSurveys), language: phone?.language ?? null };
}
