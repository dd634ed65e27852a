import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { occurrenceIdentifier, partsOfOccurrence, revisionsTold } from '../identifiers.ts';
import {
  belongsTo,
  earliestAnswerMs,
  isBeforeExpiry,
  type Open,
  openAt,
  openMs,
} from '../schedule/answers.ts';
import { localDate } from '../schedule/civil.ts';
import { dayOf } from '../schedule/days.ts';
import { type Occurrence, occurrenceOn, occurrences } from '../schedule/occurrences.ts';
import { occurrenceKey, slotOf } from '../schedule/slots.ts';
import { surveys } from '../studies/survey-schema.ts';
import { selectAnswers } from './answers.ts';
import { type Answering, type Candidate, selectLater, selectStored } from './candidates.ts';
import { selectRemindersOf, toReminders, type UserReminders } from './state.ts';

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
  const { user, survey, at, notification } = response;
  if (notification !== undefined) {
    const isNamed = found && occurrenceIdentifier(user, survey, found.revision, found.key) === notification;
    return isNamed ? ofRow(found) : readNamed(context, { ...response, notification });
  }
  const expiresAfter = rules.expiresAfter ?? 0;
  const isBehind = found?.settledAt === null;
  const isTold = found ? !isBehind && isBeforeExpiry(at, found, expiresAfter) : false;
  // The last by key may not be the one that was due last.
  const isTriggered = found !== undefined && slotOf(found.key).trigger !== undefined;
  if (isTold || !(isBehind || isTriggered || rules.unlessAnswered)) return found ? ofRow(found) : null;
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
  // Its row says that it was due, wherever the user has gone since.
  const isWaiting = found?.settledAt === null && (found.answeredAt ?? Infinity) > at;
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
  const named = partsOfOccurrence(notification);
  const told = kept.revision - ((kept.revision + revisionsTold - named.revision) % revisionsTold);
  const isIt = (revision: number, key: string) =>
    occurrenceIdentifier(user, survey, revision, key) === notification;
  for (const occurrence of state?.triggers ? occurrences(state, at - openMs) : []) {
    if (state && isIt(state.revision, occurrenceKey(occurrence)))
      return isFound(state, occurrence, at) ? ofOccurrence(state, occurrence) : undefined;
  }
  if (told < 0 || !isIt(told, named.key)) return undefined;
  if (told === kept.revision && state) {
    const occurrence = state.triggers ? undefined : occurrenceOn(state, slotOf(named.key));
    return occurrence && isFound(state, occurrence, at) ? ofOccurrence(state, occurrence) : undefined;
  }
  // Without a state the reminders have ended, or the user takes part no more.
  if (told === kept.revision && !kept.isReminding) return undefined;
  const days = dayOf(slotOf(named.key).on) - dayOf(localDate(at, state?.timeZone ?? 'UTC'));
  return Math.abs(days) <= 1 ? { revision: told, key: named.key, dueAt: null, isSettled: false } : undefined;
}

/** Whether the answer will be found when the occurrence gets its row, which reads answers only where dates are skipped. */
const isFound = ({ since, unlessAnswered }: UserReminders, { dueAt }: Occurrence, at: number) =>
  dueAt > since && (dueAt <= at || unlessAnswered);

/** Whether an answer comes too early for the occurrence that it names. */
export const isTooEarly = ({ dueAt }: Belonging, at: number): boolean =>
  dueAt !== null && at < dueAt - earliestAnswerMs;
