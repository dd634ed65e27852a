import type { Given } from './outbox.ts';
import type { Notification, Occurrence, Snapshot, Survey } from './snapshot.ts';

/** A push that arrived after the snapshot was taken. */
export interface Arrived {
  notification: string;
  survey: string;
  /** Epoch ms. */
  at: number;
}

/** A survey to be answered now. */
export interface Due {
  notification: string;
  survey: Survey;
  /** Epoch ms. */
  dueAt: number;
  expiresAt: number;
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

const defaultExpiryMinutes = 360;

/** The surveys to show at a moment, from all that the phone knows. */
export function today(
  { surveys, agenda, notifications }: Snapshot,
  { outbox, arrived, now }: { outbox: readonly Given[]; arrived: readonly Arrived[]; now: number },
): Today {
  const byId = new Map(surveys.map((survey) => [survey.identifier, survey]));
  const found = [
    ...notifications.filter(isOpen).map(ofHistory),
    ...agenda.map(ofAgenda),
    ...arrived.map(({ notification, survey, at }) => ({ notification, survey, dueAt: at })),
  ];
  const closed = new Set(notifications.filter(isClosed).map(({ identifier }) => identifier));
  const newest = new Map<string, Due>();
  for (const { survey: id, ...one } of found) {
    const survey = byId.get(id);
    if (!survey || closed.has(one.notification) || isAnswered(outbox, id, one.dueAt)) continue;
    const minutes = survey.reminders?.expiresAfter ?? defaultExpiryMinutes;
    const due = { expiresAt: one.dueAt + minutes * 60_000, ...one, survey };
    if (due.dueAt > now || due.expiresAt <= now) continue;
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
const isOpen = (one: Notification) => one.state !== 'scheduled' && !isClosed(one);

const ofHistory = ({ identifier, survey, dueAt, nextAt }: Notification) => ({
  notification: identifier,
  survey,
  dueAt: Date.parse(dueAt),
  ...(nextAt && { nextAt: Date.parse(nextAt) }),
});

const ofAgenda = ({ notification, survey, dueAt, expiresAt }: Occurrence) => ({
  notification,
  survey,
  dueAt: Date.parse(dueAt),
  expiresAt: Date.parse(expiresAt),
});

/** Answers of this phone that the service may not have yet. Refused ones answer nothing. */
const isAnswered = (outbox: readonly Given[], survey: string, since: number) =>
  outbox.some((one) => one.survey === survey && one.state !== 'refused' && Date.parse(one.at) >= since);

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
