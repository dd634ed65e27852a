import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import {
  belongsTo,
  earliestAnswerMs,
  isBeforeExpiry,
  type Open,
  openAt,
  openMs,
} from '../schedule/answers.ts';
import { localDate } from '../schedule/civil.ts';
import { dateOf, dayOf } from '../schedule/days.ts';
import { type Occurrence, occurrenceOn, occurrences } from '../schedule/occurrences.ts';
import { occurrenceKey, slotOf } from '../schedule/slots.ts';
import { maxSlots, slotsOf } from '../schedule/windows.ts';
import { surveys } from '../studies/survey-schema.ts';
import { selectAnswers } from './answers.ts';
import { type Answering, type Candidate, selectLater, selectStored } from './candidates.ts';
import { selectRemindersOf } from './reading.ts';
import { toReminders, type UserReminders } from './state.ts';

/** The occurrence that a response belongs to. Without `dueAt` (epoch ms) it is one of earlier reminders. */
export interface Belonging {
  revision: number;
  key: string;
  dueAt: number | null;
  isSettled: boolean;
}

/** Of the survey's reminders, as SQL reads them; null without any. */
interface Rules {
  unlessAnswered: number | null;
  expiresAfter: number | null;
}

type Reading = Pick<Context, 'db' | 'now' | 'log'>;

/**
 * The occurrence that a response belongs to. Another round trip reads the reminders where the candidate does not tell:
 * while the service is behind, before the reminder of a date that would then be skipped, after the expiry of a triggered one,
 * and for a name without a row. Null: none. Undefined: the name is of no occurrence.
 */
export async function belongingOf(
  context: Reading,
  response: Answering,
  found: Candidate | undefined,
  rules: Rules,
): Promise<Belonging | null | undefined> {
  const { at, notification } = response;
  if (notification !== undefined)
    return found ? ofRow(found) : readNamed(context, { ...response, notification });
  const expiresAfter = rules.expiresAfter ?? 0;
  const isBehind = found?.settledAt === null;
  const isKnown = found ? !isBehind && isBeforeExpiry(at, found, expiresAfter) : false;
  // The last by key may not be the one that was due last.
  const isTriggered = found !== undefined && slotOf(found.key).trigger !== undefined;
  if (isKnown || !(isBehind || isTriggered || rules.unlessAnswered)) return found ? ofRow(found) : null;
  return belongsTo(at, await readOpen(context, response, { found, expiresAfter }), expiresAfter) ?? null;
}

type Dated = Belonging & { dueAt: number };

const ofRow = ({ revision, key, dueAt, settledAt }: Candidate): Dated => ({
  revision,
  key,
  dueAt,
  isSettled: settledAt !== null,
});

const ofOccurrence = ({ revision }: UserReminders, occurrence: Occurrence): Dated => ({
  revision,
  key: occurrenceKey(occurrence),
  dueAt: occurrence.dueAt,
  isSettled: false,
});

/** The open occurrences at the time of a response, settled or not, with a row or none yet. */
async function readOpen(
  context: Reading,
  response: Answering,
  { found, expiresAfter }: { found: Candidate | undefined; expiresAfter: number },
): Promise<Open<Dated>> {
  const { db, now } = context;
  const { user, survey, at } = response;
  const [rows, answers, later, [stored]] = await db.batch([
    selectRemindersOf(db, { user, survey }, now),
    selectAnswers(db, { user, survey, since: at - openMs - earliestAnswerMs }),
    selectLater(db, response),
    selectStored(db, response, expiresAfter),
  ]);
  const [state] = toReminders(context, rows, { answers });
  if (!state) return { due: stored && ofRow(stored) };
  const open = openAt(state, at);
  const date = localDate(at, state.timeZone);
  // The cursor says that it was due, wherever the user has gone since. It may have an answer from before.
  const isAnswered = state.pending?.id === found?.id && (state.pending?.answeredAt ?? Infinity) <= at;
  const isWaiting = found?.settledAt === null && !isAnswered;
  const older = isWaiting ? found : stored;
  const sent = state.unlessAnswered ? later.find((row) => slotOf(row.key).on === date) : undefined;
  return {
    due: open.due ? ofOccurrence(state, open.due) : older && ofRow(older),
    coming: sent ? ofRow(sent) : open.coming && ofOccurrence(state, open.coming),
  };
}

/**
 * An occurrence that a phone names and that has no row: it is still to come, or was to come by reminders that were changed
 * while the phone was offline.
 */
async function readNamed(
  context: Reading,
  { user, survey, at, notification }: Answering & { notification: string },
): Promise<Belonging | undefined> {
  const { db, now } = context;
  const [rows, [kept]] = await db.batch([
    selectRemindersOf(db, { user, survey }, now),
    db
      .select({
        revision: surveys.remindersRevision,
        isReminding: sql<number>`${surveys.reminders} is not null`,
      })
      .from(surveys)
      .where(eq(surveys.id, survey)),
  ]);
  if (!kept) return undefined;
  const [state] = toReminders(context, rows);
  for (const occurrence of state?.triggers ? occurrences(state, at - openMs) : []) {
    const key = occurrenceKey(occurrence);
    if (
      state &&
      revisionsUpTo(state.revision).some((revision) => idOf(state, key, revision) === notification)
    )
      return isFound(state, occurrence, at) ? ofOccurrence(state, occurrence) : undefined;
  }
  const date = dayOf(localDate(at, state?.timeZone ?? 'UTC'));
  if (state && !state.triggers)
    for (const key of keysOf(date - openDays, date + openDays, slotsIn(state))) {
      if (idOf({ user, survey }, key, state.revision) !== notification) continue;
      const occurrence = occurrenceOn(state, slotOf(key));
      return occurrence && isFound(state, occurrence, at) ? ofOccurrence(state, occurrence) : undefined;
    }
  // Without a state the reminders have ended, or the user takes part no more.
  const last = state || !kept.isReminding ? kept.revision - 1 : kept.revision;
  const keys = keysOf(date - 1, date + 1, maxSlots);
  for (const revision of revisionsUpTo(last)) {
    const key = keys.find((one) => idOf({ user, survey }, one, revision) === notification);
    if (key !== undefined) return { revision, key, dueAt: null, isSettled: false };
  }
  return undefined;
}

/** Days before and after an answer on which the occurrence that it names may have been due without a notification. */
const openDays = 4;

/** Earlier revisions of the reminders of which a phone may know an occurrence that was never the next. */
const maxRevisions = 4;

/** The last of these revisions, the newest first. */
const revisionsUpTo = (last: number): number[] =>
  Array.from({ length: Math.min(maxRevisions, last + 1) }, (_, n) => last - n);

const slotsIn = ({ rule }: UserReminders) => (rule?.windows ? slotsOf(rule.windows) : 0);

const idOf = ({ user, survey }: Pick<UserReminders, 'user' | 'survey'>, key: string, revision: number) =>
  occurrenceIdentifier(user, survey, revision, key);

/** The keys of some days, with as many slots. */
const keysOf = (from: number, to: number, slots: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => dateOf(from + n)).flatMap((on) => [
    on,
    ...Array.from({ length: slots }, (_, slot) => occurrenceKey({ on, slot })),
  ]);

/** Whether the answer will be found when the occurrence gets its row, which reads answers only where dates are skipped. */
const isFound = ({ since, unlessAnswered }: UserReminders, { dueAt }: Occurrence, at: number) =>
  dueAt > since && (dueAt <= at || unlessAnswered);

/** Whether an answer comes too early for the occurrence that it names. */
export const isTooEarly = ({ dueAt }: Belonging, at: number): boolean =>
  dueAt !== null && at < dueAt - earliestAnswerMs;
