import { isTimeOverFor } from './own-time.ts';
import type { Notification, Occurrence, Snapshot, Study, Survey } from './snapshot.ts';
import { type Submission, submittedAt } from './submissions.ts';
import { isVisit, openMsOf } from './visits.ts';

/** A push that arrived after the snapshot was taken. */
export interface Arrived {
  notification: string;
  survey: string;
  /** By the phone's own clock, in epoch ms. */
  at: number;
}

/** So many pushes of a survey at most that the page may not have heard of. */
const mostArrived = 20;

/** A reminder that comes again is as old as it was. */
export function withArrival(known: readonly Arrived[], push: Arrived): Arrived[] {
  const first = known.find(({ notification }) => notification === push.notification) ?? push;
  const all = [...known.filter((other) => other !== first), first];
  const isRecent = ({ survey }: Arrived, at: number) =>
    all.slice(at).filter((later) => later.survey === survey).length <= mostArrived;
  return all.filter(isRecent);
}

/** A survey to be answered now. */
export interface Due {
  notification: string;
  survey: Survey;
  /** Epoch ms. */
  dueAt: number;
  /** The end of the time for answers. */
  expiresAt: number;
  /** None can come again: no phone got it, or a newer one of its survey came. */
  isLast?: true;
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

/** The surveys to show at a moment, from all that the phone knows. */
export function today(
  { studies, surveys, agenda, notifications }: Snapshot,
  { outbox, arrived, now, clock = 0 }: Known,
): Today {
  const byId = new Map(surveys.map((survey) => [survey.identifier, survey]));
  // The history says more about the same one than the agenda or a push.
  const known: Reminder[] = [
    ...notifications.filter(isSettled).map(ofHistory),
    ...agenda.map(ofAgenda),
    ...arrived.map(({ notification, survey, at }) => ({ notification, survey, dueAt: at + clock })),
  ];
  const came = onceEach(known.filter(({ dueAt }) => dueAt <= now));
  const closed = new Set(notifications.filter(isClosed).map(({ identifier }) => identifier));
  const newest = new Map<string, Due>();
  for (const { survey: id, ...reminder } of came) {
    const survey = byId.get(id);
    if (!survey || closed.has(reminder.notification)) continue;
    const due = { ...reminder, survey, expiresAt: reminder.dueAt + openMsOf(survey) };
    if (due.expiresAt <= now || isAnswered(outbox, due)) continue;
    const key = isVisit(survey) ? due.notification : id;
    if (due.dueAt > (newest.get(key)?.dueAt ?? 0)) newest.set(key, due);
  }
  return {
    due: [...newest.values()]
      .map((due) => (came.some((other) => overtakes(other, due)) ? asLast(due) : due))
      .map((due) => withinTime(due, studies))
      .sort((a, b) => a.expiresAt - b.expiresAt),
    coming: comingOf(agenda, byId, now),
    others: surveys.filter(({ reminders, identifier }) => reminders === null && !newest.has(identifier)),
  };
}

type Reminder = Pick<Due, 'notification' | 'dueAt' | 'isLast' | 'nextAt'> & { survey: string };

/** The first of each. */
function onceEach(some: readonly Reminder[]): Reminder[] {
  const seen = new Set<string>();
  return some.filter(({ notification }) => seen.size < seen.add(notification).size);
}

const overtakes = (other: Reminder, { survey, notification, dueAt }: Due) =>
  other.survey === survey.identifier && other.notification !== notification && other.dueAt > dueAt;

const asLast = ({ nextAt: _, ...due }: Due): Due => ({ ...due, isLast: true });

function withinTime({ nextAt, ...due }: Due, studies: readonly Study[]): Due {
  return nextAt === undefined || isTimeOverFor(studies, due.survey, nextAt) ? due : { ...due, nextAt };
}

/** Answered, or not to be answered: skipped by a pause, for instance. */
const isClosed = ({ state, reason, answeredAt }: Notification) =>
  answeredAt !== undefined || state === 'invalidated' || (state === 'skipped' && reason !== 'no-device');

/** Also where no reminder arrived: people without reminders take part too. */
const isSettled = ({ state }: Notification) => state !== 'scheduled' && state !== 'invalidated';

const ofHistory = ({ identifier, survey, dueAt, nextAt, state }: Notification): Reminder => ({
  notification: identifier,
  survey,
  dueAt: Date.parse(dueAt),
  ...(nextAt && { nextAt: Date.parse(nextAt) }),
  ...((state === 'skipped' || state === 'failed') && { isLast: true }),
});

const ofAgenda = ({ notification, survey, dueAt }: Occurrence): Reminder => ({
  notification,
  survey,
  dueAt: Date.parse(dueAt),
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
