import type { ProblemError } from '../client.ts';
import { newIdentifier } from '../client.ts';
import { api, isProblem, read, serviceNow } from './api.ts';
import { readSession, type Session } from './session.ts';
import type { Survey } from './snapshot.ts';
import { add, all, keep, keysOf, readKept, remove, tellOthers } from './store.ts';
import { inTurn } from './turns.ts';

/** Answers to one survey. They stay on the phone until the service has them. */
export interface Given {
  /** Of the response, chosen here: the service stores it once, however often it is sent. */
  identifier: string;
  user: string;
  survey: string;
  study: string;
  items: Record<string, string>;
  /** When they were given, by the service's clock. */
  at: string;
  notification?: string;
  state: 'waiting' | 'sent' | 'refused';
  /** Why the service refused them, or does not take them yet. */
  problem?: { code: string; status: number; detail: string };
}

export const readOutbox = () => all<Given>('outbox');

/** Keeps answers, to be sent now or once there is a network. */
export async function give(
  survey: Survey,
  given: { items: Record<string, string>; notification?: string | undefined },
): Promise<Given> {
  const { items, notification } = given;
  const session = (await readSession()) as Session;
  // Both clocks may differ by a moment; the service takes no answer from before the download.
  const at = Math.max(await serviceNow(), Date.parse(survey.downloadedAt ?? '') || 0);
  const answers: Given = {
    identifier: newIdentifier(),
    user: session.user,
    survey: survey.identifier,
    study: survey.investigation.replace(/^investigation\//, ''),
    items,
    at: new Date(at).toISOString(),
    ...(notification && { notification }),
    state: 'waiting',
  };
  await add('outbox', answers);
  await keep(`draft:${survey.identifier}`, undefined);
  return answers;
}

/** Whether the service has an answer; `held` by the study, it is sent once the study takes it. */
export type Outcome = 'sent' | 'kept' | 'held' | 'refused';

/** Sends what waits, and says what became of one of the answers. */
export async function sendNow({ identifier }: Given): Promise<Outcome> {
  await flush().catch(() => false);
  const given = (await readOutbox()).find((one) => one.identifier === identifier);
  if (given?.state !== 'waiting') return given?.state ?? 'sent';
  return given.problem ? 'held' : 'kept';
}

/** Sends what waits, in one page or worker at a time. Resolves with whether nothing waits any more. */
export const flush = (): Promise<boolean> => inTurn('fieldbell.outbox', sendAll);

/** Of sent answers, so that what they answered stays away from the list of what is due. */
const keepSentMs = 2 * 24 * 3600 * 1000;

async function sendAll(): Promise<boolean> {
  const session = await readSession();
  const outbox = (await readOutbox()).sort((a, b) => a.at.localeCompare(b.at));
  for (const given of outbox)
    if (given.state === 'sent' && Date.parse(given.at) < Date.now() - keepSentMs)
      await remove('outbox', given.identifier);
  if (!session || session.ended) return false;
  const own = outbox.filter(({ user, state }) => user === session.user && state === 'waiting');
  let hasAll = true;
  try {
    for (const given of own) {
      const sent = await send(given);
      await add('outbox', sent);
      if (sent.state === 'waiting') hasAll = false;
    }
  } catch {
    // The network, or the service, is out of reach: the rest waits.
    hasAll = false;
  }
  if (own.length > 0) tellOthers();
  await sendReceipts();
  return hasAll;
}

/** @throws if the service gave no answer about these answers */
async function send(given: Given): Promise<Given> {
  const { problem: _, ...rest } = given;
  const sent: Given = { ...rest, items: {}, state: 'sent' };
  try {
    await post(given);
    return sent;
  } catch (error) {
    if (!isProblem(error) || isPassing(error)) throw error;
    // The answer of an earlier try was lost, and the team of the study has changed the response since.
    if (error.code === 'identifier.taken' && (await isThere(given.identifier))) return sent;
    const fault = error.errors[0]?.detail;
    const problem = { code: error.code, status: error.status, detail: fault ?? error.message };
    return { ...rest, state: isHeld(error) ? 'waiting' : 'refused', problem };
  }
}

async function post({ identifier, study, survey, items, at }: Given) {
  const json = { case: await ownCase(study), items, identifier, at };
  await api.survey[':id'].response.$post({ param: { id: survey }, json });
}

/** Locks, freezes and lack of room pass; other refusals are for good. */
const isHeld = ({ status, code }: ProblemError) => status === 423 || code === 'limit.reached';

const isPassing = ({ status, code }: ProblemError) =>
  status === 401 || status === 408 || status === 429 || status >= 500 || code === 'request.in-progress';

async function isThere(identifier: string): Promise<boolean> {
  try {
    await api.response[':id'].$get({ param: { id: identifier }, query: {} });
    return true;
  } catch (error) {
    if (isProblem(error, 404)) return false;
    throw error;
  }
}

/** All answers of a participant to a study are of one case, which has their name and is made with the first ones. */
async function ownCase(study: string): Promise<string> {
  const kept = (await readKept<Record<string, { identifier: string; isThere: boolean }>>('cases')) ?? {};
  const known = kept[study] ?? { identifier: await findOwnCase(study), isThere: false };
  if (known.isThere) return known.identifier;
  // Before it is asked for, so that a second try asks for the same one.
  await keep('cases', { ...kept, [study]: known });
  const { name } = await read(api.user[':id'].$get({ param: { id: 'me' } }));
  try {
    const json = { label: name, identifier: known.identifier };
    await api.investigation[':id'].case.$post({ param: { id: study }, json });
  } catch (error) {
    // The team of the study has given it another name.
    if (!(isProblem(error) && error.code === 'identifier.taken')) throw error;
  }
  await keep('cases', { ...kept, [study]: { ...known, isThere: true } });
  return known.identifier;
}

/** An earlier phone may have made it. */
async function findOwnCase(study: string): Promise<string> {
  const query = { limit: '1000' };
  const { cases } = await read(api.investigation[':id'].cases.$get({ param: { id: study }, query }));
  const { user } = (await readSession()) as Session;
  return cases.find(({ creatorIdentifier }) => creatorIdentifier === user)?.identifier ?? newIdentifier();
}

/** An event of a notification. The earliest of each kind counts, so sending one twice changes nothing. */
export type ReceiptEvent = 'shown' | 'opened' | 'dismissed';

export async function noteReceipt(notification: string, event: ReceiptEvent): Promise<void> {
  const at = new Date(await serviceNow()).toISOString();
  await add('receipts', { notification, event, at });
}

const mostReceipts = 500;

async function sendReceipts() {
  const keys = (await keysOf('receipts')).slice(0, mostReceipts);
  const receipts = (await all<{ notification: string; event: ReceiptEvent; at: string }>('receipts')).slice(
    0,
    mostReceipts,
  );
  if (receipts.length === 0) return;
  try {
    await api.user.me.receipts.$post({ json: { receipts } });
  } catch (error) {
    if (!isProblem(error, 400)) return;
  }
  for (const key of keys) await remove('receipts', key);
}
