import type { Notification, Occurrence, Snapshot, Survey } from './snapshot.ts';
import { type Submission, submittedAt } from './submissions.ts';

/** A push that arrived after the snapshot was taken. */
export interface Arrived {
  notification: string;
  survey: string;
  /** By the phone's own clock, in epoch ms. */
  at: number;
}

/** A survey to be answered now. */
export interface Due {
  notification: string;
  survey: Survey;
  /** Epoch ms. */
  dueAt: number;
  expiresAt: number;
  /** No phone got it, so that none can come again. */
  isUnpushed?: true;
  /** When a reminder comes again. */
  nextAt?: number;
}

/** A survey that comes. Moments of windows are a surprise, so they have no time. */
export interface Coming {
  survey: Survey;
  at: number;
  isSurprise: boolean;
}

export interface Today {
  due: Due[];
  coming: Coming[];
  /** Surveys that may be answered at any time. */
  others: Survey[];
}

export interface Known {
  outbox: readonly Submission[];
  arrived: readonly Arrived[];
  /** By the service's clock. */
  now: number;
  /** Milliseconds by which it is ahead of the phone's. */
  clock?: number;
}

const defaultExpiryMinutes = 360;
export const expiryMsOf = ({ reminders }: Survey) =>
  (reminders?.expiresAfter ?? defaultExpiryMinutes) * 60_000;

/** The end of the time for answers to a reminder: a study that refuses late ones may set it before the reminder's own. */
export function endOf({ reminders }: Survey, dueAt: number, expiresAt: number): number {
  const { answerWithin, lateAnswers } = reminders ?? {};
  return lateAnswers === 'refuse' && answerWithin !== undefined
    ? Math.min(expiresAt, dueAt + answerWithin * 60_000)
    : expiresAt;
}

/** The surveys to show at a moment, from all that the phone knows. */
export function today(
  { surveys, agenda, notifications }: Snapshot,
  { outbox, arrived, now, clock = 0 }: Known,
): Today {
  const byId = new Map(surveys.map((survey) => [survey.identifier, survey]));
  const reminders = [
    ...notifications.filter(isOpen).map(ofHistory),
    ...agenda.map(ofAgenda),
    ...arrived.map(({ notification, survey, at }) => ({ notification, survey, dueAt: at + clock })),
  ];
  const closed = new Set(notifications.filter(isClosed).map(({ identifier }) => identifier));
  const newest = new Map<string, Due>();
  for (const { survey: id, ...reminder } of reminders) {
    const survey = byId.get(id);
    if (!survey || closed.has(reminder.notification)) continue;
    const { expiresAt } = { expiresAt: reminder.dueAt + expiryMsOf(survey), ...reminder };
    const due = { ...reminder, survey, expiresAt: endOf(survey, reminder.dueAt, expiresAt) };
    if (due.dueAt > now || due.expiresAt <= now || isAnswered(outbox, due)) continue;
    const other = newest.get(id);
    // The history says more about the same one than the agenda or a push.
    if (!other || (due.notification !== other.notification && due.dueAt > other.dueAt)) newest.set(id, due);
  }
  const due = [...newest.values()].sort((a, b) => a.expiresAt - b.expiresAt);
  const isDue = (id: string) => newest.has(id);
  return {
    due,
    coming: comingOf(agenda, byId, now),
    others: surveys.filter((survey) => survey.reminders === null && !isDue(survey.identifier)),
  };
}

/** Answered, or not to be answered: skipped by a pause, for instance. */
const isClosed = ({ state, reason, answeredAt }: Notification) =>
  answeredAt !== undefined || state === 'invalidated' || (state === 'skipped' && reason !== 'no-device');

/** Also where no reminder arrived: people without reminders take part too. */
const isOpen = (reminder: Notification) => reminder.state !== 'scheduled' && !isClosed(reminder);

const ofHistory = ({ identifier, survey, dueAt, nextAt, state }: Notification) => ({
  notification: identifier,
  survey,
  dueAt: Date.parse(dueAt),
  ...(nextAt && { nextAt: Date.parse(nextAt) }),
  ...((state === 'skipped' || state === 'failed') && { isUnpushed: true as const }),
});

const ofAgenda = ({ notification, survey, dueAt, expiresAt }: Occurrence) => ({
  notification,
  survey,
  dueAt: Date.parse(dueAt),
  expiresAt: Date.parse(expiresAt),
});

/**
 * Answers of this phone, which the service may not have yet. They answer the reminder that they name, and without one the
 * reminder of their time. Refused ones answer nothing.
 */
const isAnswered = (outbox: readonly Submission[], { notification, survey, dueAt, expiresAt }: Due) =>
  outbox.some((submission) => {
    if (
      submission.survey !== survey.identifier ||
      submission.state === 'refused' ||
      submission.state === 'changing'
    )
      return false;
    if (submission.notification) return submission.notification === notification;
    const at = submittedAt(submission);
    return dueAt <= at && at < expiresAt;
  });

/** The next ones; of moments within windows one for each date. */
function comingOf(agenda: readonly Occurrence[], byId: ReadonlyMap<string, Survey>, now: number): Coming[] {
  const dates = new Set<string>();
  return agenda.flatMap(({ survey: id, dueAt, on }) => {
    const survey = byId.get(id);
    const at = Date.parse(dueAt);
    if (!survey || at <= now) return [];
    const isSurprise = (survey.reminders?.windows?.length ?? 0) > 0;
    if (isSurprise && dates.size === dates.add(`${id} ${on}`).size) return [];
    return [{ survey, at, isSurprise }];
  });
}
