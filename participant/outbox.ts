import { newIdentifier } from '../client/client.ts';
import { type Draft, draftKey } from './drafts.ts';
import { answersTo, type Given, isUnsent } from './given.ts';
import { sendReceipts } from './receipts.ts';
import { send } from './sending.ts';
import { readSession, type Session } from './session.ts';
import type { Survey } from './snapshot.ts';
import { add, all, keep, readKept, remove, tellOthers } from './store.ts';
import { inTurn } from './turns.ts';
import { stopsAll, type Verdict } from './verdict.ts';

export const readOutbox = () => all<Given>('outbox');

/**
 * Keeps answers, to be sent now or once there is a network. Undefined: another window has answered the same meanwhile, and
 * nobody said that this one should answer it again.
 */
export const give = (
  survey: Survey,
  given: { items: Record<string, string>; draft: Draft; notification: string | undefined; since?: number },
): Promise<Given | undefined> =>
  inTurn('fieldbell.give', async () => {
    const { items, draft, notification, since } = given;
    const form = { survey: survey.identifier, ...(notification && { notification }) };
    if (since !== undefined && answersTo(await readOutbox(), form, since).length > 0) return undefined;
    const session = (await readSession()) as Session;
    const answers: Given = {
      identifier: newIdentifier(),
      user: session.user,
      ...form,
      study: survey.investigation.replace(/^investigation\//, ''),
      items,
      at: draft.at ?? new Date().toISOString(),
      ahead: draft.ahead ?? (await readKept<number>('clock')) ?? 0,
      state: 'waiting',
      why: 'new',
    };
    await add('outbox', answers);
    if (draft.replaces) await remove('outbox', draft.replaces);
    await keep(draftKey(form), undefined);
    tellOthers();
    return answers;
  });

/** Sends what waits, in one page or worker at a time. Resolves with whether nothing waits any more. */
export const flush = (): Promise<boolean> => inTurn('fieldbell.outbox', sendAll);

/** Takes answers out of the way of `flush`, to change them; false if the service has got them meanwhile. */
export const beginChange = ({ identifier }: Given): Promise<boolean> =>
  inTurn('fieldbell.outbox', async () => {
    const given = (await readOutbox()).find((one) => one.identifier === identifier);
    if (!given || !isUnsent(given)) return false;
    await add('outbox', { ...given, state: 'changing' });
    tellOthers();
    return true;
  });

export const removeGiven = ({ identifier }: Given): Promise<unknown> =>
  inTurn('fieldbell.outbox', () => remove('outbox', identifier));

/** Of answers that the study has: what they answered stays away from what is due, and they can be looked at. */
const keepMs: Partial<Record<Given['state'], number>> = {
  sent: 2 * 24 * 3600 * 1000,
  aside: 30 * 24 * 3600 * 1000,
};
/** Between questions about answers that were set aside. */
const askAsideMs = 6 * 3600 * 1000;

async function sendAll(): Promise<boolean> {
  const session = await readSession();
  const now = Date.now();
  const outbox = (await readOutbox()).sort((a, b) => a.at.localeCompare(b.at));
  for (const given of outbox)
    if (now - Date.parse(given.at) > (keepMs[given.state] ?? Infinity))
      await remove('outbox', given.identifier);
  if (!session || session.ended) return false;
  const own = outbox.filter((given) => given.user === session.user && isToSend(given, now));
  for (const given of own) {
    const verdict = await send(given);
    await add('outbox', judged(given, verdict, now));
    if (stopsAll(verdict)) break;
  }
  if (own.length > 0) tellOthers();
  await sendReceipts();
  return !(await readOutbox()).some(({ user, state }) => user === session.user && state === 'waiting');
}

const isToSend = ({ state, askedAt = 0 }: Given, now: number) =>
  state === 'waiting' || (state === 'aside' && now - askedAt > askAsideMs);

/** An answer that was set aside stays so until the team of the study has placed it. */
function judged(given: Given, verdict: Verdict, now: number): Given {
  const { identifier, user, survey, study, items, at, ahead, notification } = given;
  const answered = {
    identifier,
    user,
    survey,
    study,
    items,
    at,
    ahead,
    ...(notification && { notification }),
  };
  if (verdict.state === 'sent') return { ...answered, items: {}, ...verdict };
  if (given.state === 'aside' && verdict.state !== 'aside') return { ...given, askedAt: now };
  return { ...answered, ...verdict, ...(verdict.state === 'aside' && { askedAt: now }) };
}
