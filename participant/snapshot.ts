import { type AnswerOf, api, isProblem, read, request, serviceNow } from './api.ts';
import { isOld, keepSession, readSession } from './session.ts';
import { keep, notifyPages, readKept } from './store.ts';
import { isVisit, openMsOf } from './visits.ts';

type Api = typeof api;
export type Me = AnswerOf<Api['user'][':id']['$get']> & {
  quietHours?: { from: string; to: string };
  pausedUntil?: string | null;
  customRemindersTime?: string | null;
  timeZone?: string | null;
};
export type Study = AnswerOf<Api['investigation']['$get']>['investigations'][number];
export type Survey = AnswerOf<Api['survey'][':id']['$get']> & { downloadedAt?: string };
export type Occurrence = AnswerOf<Api['user'][':id']['agenda']['$get']>['occurrences'][number];
export type Notification = AnswerOf<Api['user'][':id']['notifications']['$get']>['notifications'][number];

/** The last answers of the service: all that the page shows, with or without a network. */
export interface Snapshot {
  /** By the phone's clock, in epoch ms. */
  at: number;
  me: Me;
  studies: Study[];
  surveys: Survey[];
  /** Archived ones, whose answers may still be shown. Missing in snapshots of earlier builds. */
  past?: Survey[];
  agenda: Occurrence[];
  notifications: Notification[];
}

/** A survey that answers belong to, archived or not. */
export const surveyIn = (snapshot: Snapshot | undefined, id: string): Survey | undefined =>
  [...(snapshot?.surveys ?? []), ...(snapshot?.past ?? [])].find(({ identifier }) => identifier === id);

export const readSnapshot = () => readKept<Snapshot>('snapshot');

const me = { param: { id: 'me' } };

/** Reads everything from the service again, and downloads new surveys, which starts their `fixed` series. */
export async function refresh(): Promise<void> {
  await renewToken();
  const known = new Map((await readSnapshot())?.surveys.map((survey) => [survey.identifier, survey]));
  const [user, { investigations: studies }] = await Promise.all([
    read(api.user[':id'].$get(me)) as Promise<Me>,
    read(api.investigation.$get({ query: {} })),
  ]);
  const lists = await Promise.all(studies.map(({ identifier }) => surveysOf(identifier)));
  const [past, present] = [true, false].map((isPast) =>
    lists.flat().filter(({ archivedAt }) => (archivedAt !== undefined) === isPast),
  ) as [Survey[], Survey[]];
  const surveys = await Promise.all(
    present.map(async (survey): Promise<Survey> => {
      const { downloadedAt } = known.get(survey.identifier) ?? {};
      return downloadedAt ? { ...survey, downloadedAt } : download(survey);
    }),
  );
  const [{ occurrences }, notifications] = await Promise.all([
    read(api.user[':id'].agenda.$get({ ...me, query: { count: '64', ...(await ownDevice()) } })),
    history(surveys),
  ]);
  const snapshot: Snapshot = {
    at: Date.now(),
    me: user,
    studies,
    surveys,
    past,
    agenda: occurrences,
    notifications,
  };
  await keep('snapshot', snapshot);
  notifyPages();
}

/** The newest reminders, and those of visits from as far back as one may still be open. */
async function history(surveys: readonly Survey[]): Promise<Notification[]> {
  const list = (query: { limit: string; survey?: string; since?: string }) =>
    read(api.user[':id'].notifications.$get({ ...me, query }));
  const { notifications: newest, next } = await list({ limit: '50' });
  if (!next) return newest;
  const now = await serviceNow();
  const older = surveys.filter(isVisit).map(async (visit) => {
    const since = new Date(now - openMsOf(visit)).toISOString();
    return (await list({ limit: '100', survey: visit.identifier, since })).notifications;
  });
  const known = new Set(newest.map(({ identifier }) => identifier));
  const others = (await Promise.all(older)).flat().filter(({ identifier }) => !known.has(identifier));
  return [...newest, ...others];
}

/** A snapshot of this age knows the survey as it is. */
const freshMs = 3600 * 1000;

/** Reads a survey that a push is about, unless it is known from just now. */
export async function learnSurvey(identifier: string): Promise<void> {
  const snapshot = await readSnapshot();
  if (!snapshot) return refresh();
  const known = snapshot.surveys.find((survey) => survey.identifier === identifier);
  if (known && Date.now() - snapshot.at < freshMs) return;
  const read = await survey(identifier, known);
  // The page may have read everything meanwhile.
  const newest = (await readSnapshot()) ?? snapshot;
  const others = newest.surveys.filter((other) => other.identifier !== identifier);
  await keep('snapshot', { ...newest, surveys: [...others, read] } satisfies Snapshot);
  notifyPages();
}

async function survey(id: string, known: Survey | undefined): Promise<Survey> {
  const present: Survey = await read(api.survey[':id'].$get({ param: { id } }));
  const { downloadedAt } = known ?? {};
  return downloadedAt ? { ...present, downloadedAt } : download(present);
}

async function surveysOf(study: string): Promise<Survey[]> {
  const { surveys } = await read(api.investigation[':id'].surveys.$get({ param: { id: study }, query: {} }));
  return surveys;
}

/** A survey that was archived meanwhile, or whose study is frozen, is shown all the same. */
async function download(survey: Survey): Promise<Survey> {
  try {
    return await read(api.survey[':id'].download.$post({ param: { id: survey.identifier } }));
  } catch (error) {
    if (isProblem(error, 404, 409, 423)) return survey;
    throw error;
  }
}

/** Texts of reminders are in the language of the phone that asks. */
async function ownDevice() {
  const device = await readKept<{ identifier: string }>('device');
  return device && { device: device.identifier };
}

async function renewToken() {
  const session = await readSession();
  if (!session || !isOld(session)) return;
  try {
    const { token } = (await (await request('/user/me/token', { method: 'POST' })).json()) as {
      token: string;
    };
    await keepSession({ ...session, token, since: Date.now() });
  } catch (error) {
    // A token of the study's own provider cannot be exchanged.
    if (!isProblem(error, 403, 404)) throw error;
  }
}
