import { eq } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { selectAlive } from '../permissions/visibility.ts';
import { devices } from '../phones/schema.ts';
import { type Foreseen, type Foresight, foresee } from '../schedule/foresee.ts';
import { textFor } from '../schedule/languages.ts';
import { maxSurveys, readTranslations, selectReminders } from './reading.ts';
import { toReminders, type UserReminders } from './state.ts';

export interface Agenda {
  /** The number of occurrences. */
  count: number;
  /** One of the user's devices; texts are in its language. */
  device?: string | undefined;
}

type Reading = Pick<Context, 'db' | 'now' | 'log'>;

/** An occurrence with its texts. */
export type AgendaEntry = Foreseen<UserReminders> & ReturnType<typeof textFor>;

/** Hundreds of surveys that one request reads. */
const maxReads = 3;

/**
 * The next occurrences of a user, over all their surveys, and whether `more` may follow that the request did not look at.
 * One round trip, and one for the translations of what was found, if the device has a language; for users with more than a
 * hundred surveys another for each further hundred that may come first, up to three hundred. @throws resource.not-found for another user's device
 */
export async function readAgenda(
  context: Reading,
  user: string,
  { count, device }: Agenda,
): Promise<{ entries: AgendaEntry[]; more: boolean }> {
  const { db, now } = context;
  const [[me], rows, phones] = await db.batch([
    selectAlive(db, user),
    selectReminders(db, user, { now, limit: maxSurveys + 1 }),
    db.select({ id: devices.id, language: devices.language }).from(devices).where(eq(devices.userId, user)),
  ]);
  if (!me) throw notFound('user');
  const phone = phones.find(({ id }) => id === device);
  if (device !== undefined && !phone) throw notFound('device');
  const { found, more } =
    rows.length > maxSurveys
      ? await foreseeOfMany(context, user, count)
      : foresee(toReminders(context, rows), now, count);
  const language = phone?.language ?? null;
  const translations =
    language === null ? null : await readTranslations(db, user, [...new Set(found.map(surveyOf))]);
  const textsOf = ({ texts, survey }: UserReminders) => ({
    ...texts,
    translations: translations?.get(survey) ?? {},
  });
  return { entries: found.map((entry) => ({ ...entry, ...textFor(textsOf(entry.state), language) })), more };
}

const surveyOf = ({ state }: Foreseen<UserReminders>) => state.survey;

/**
 * Reads surveys in the order of their earliest possible occurrence, until no other survey can precede the occurrences
 * found.
 */
async function foreseeOfMany(
  context: Reading,
  user: string,
  count: number,
): Promise<Foresight<UserReminders>> {
  const { db, now } = context;
  const states: UserReminders[] = [];
  for (let reads = 1; ; reads++) {
    const portion = { now, limit: maxSurveys, offset: states.length };
    const rows = await selectReminders(db, user, portion, 'foreseen');
    states.push(...toReminders(context, rows));
    await breathe();
    const seen = foresee(states, now, count);
    const last = seen.found[count - 1];
    const isWhole = rows.length < maxSurveys || (last && last.dueAt <= (rows.at(-1)?.notBefore ?? Infinity));
    if (isWhole || seen.more) return seen;
    if (reads === maxReads) return { ...seen, more: true };
  }
}
