import { newIdentifier } from '../client/client.ts';
import { type Draft, draftKey } from './drafts.ts';
import { withLock } from './locks.ts';
import { replaceCase } from './own-case.ts';
import { sendReceipts } from './receipts.ts';
import { send } from './sending.ts';
import { readSession, type Session } from './session.ts';
import { readSnapshot, type Survey } from './snapshot.ts';
import { add, all, keep, notifyPages, readKept, remove } from './store.ts';
import { answersTo, isUnsent, type Submission } from './submissions.ts';
import { stopsAll, type Verdict } from './verdict.ts';
import { longestOpenMs } from './visits.ts';

export const readOutbox = () => all<Submission>('outbox');

/**
 * Keeps answers, to be sent now or once there is a network. Undefined: another window has answered the same meanwhile, and
 * nobody said that this one should answer it again.
 */
export const submit = (
  survey: Survey,
  entry: { items: Record<string, string>; draft: Draft; notification: string | undefined; since?: number },
): Promise<Submission | undefined> =>
  withLock('fieldbell.give', async () => {
    const { items, draft, notification, since } = entry;
    const form = { survey: survey.identifier, ...(notification && { notification }) };
    if (since !== undefined && answersTo(await readOutbox(), form, since).length > 0) return undefined;
    const session = (await readSession()) as Session;
    const answers: Submission = {
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
    notifyPages();
    return answers;
  });

/** Sends what waits, in one page or worker at a time. Resolves with whether nothing waits any more. */
export const flush = (): Promise<boolean> => withLock('fieldbell.outbox', sendAll);

/** Takes answers out of the way of `flush`, to change them; false if the service has got them meanwhile. */
export const beginChange = ({ identifier }: Submission): Promise<boolean> =>
  withLock('fieldbell.outbox', async () => {
    const submission = (await readOutbox()).find((candidate) => candidate.identifier === identifier);
    if (!submission || !isUnsent(submission)) return false;
    await add('outbox', { ...submission, state: 'changing' });
    notifyPages();
    return true;
  });

export const removeSubmission = ({ identifier }: Submission): Promise<unknown> =>
  withLock('fieldbell.outbox', () => remove('outbox', identifier));

/** Of answers that the study has: what they answered stays away from what is due, and they can be looked at. */
const keepMs: Partial<Record<Submission['state'], number>> = {
  sent: 2 * 24 * 3600 * 1000,
  aside: longestOpenMs,
};
/** Between questions about answers that were set aside. */
const askAsideMs = 6 * 3600 * 1000;

async function sendAll(): Promise<boolean> {
  const session = await readSession();
  const now = Date.now();
  const seenAt = (await readSnapshot())?.at ?? 0;
  const outbox = (await readOutbox()).sort((a, b) => a.at.localeCompare(b.at));
  for (const submission of outbox) {
    const { at, state, askedAt = 0, identifier } = submission;
    // Before the study was read again, only these answers tell that their reminder is answered.
    const isNeeded = state === 'sent' && askedAt > seenAt;
    if (!isNeeded && now - Date.parse(at) > (keepMs[state] ?? Infinity)) await remove('outbox', identifier);
  }
  if (!session || session.ended) return false;
  const toSend = outbox.filter((submission) => submission.user === session.user && isToSend(submission, now));
  for (const submission of toSend) {
    const verdict = await send(submission);
    await add('outbox', judged(submission, verdict, now));
    // Only now: sent again for another case, the answer would be another one to the service.
    if (hasLostCase(submission, verdict)) await replaceCase(submission).catch(() => undefined);
    if (stopsAll(verdict)) break;
  }
  if (toSend.length > 0) notifyPages();
  await sendReceipts();
  return !(await readOutbox()).some(({ user, state }) => user === session.user && state === 'waiting');
}

const isToSend = ({ state, askedAt = 0 }: Submission, now: number) =>
  state === 'waiting' || (state === 'aside' && now - askedAt > askAsideMs);

const hasLostCase = ({ state }: Submission, verdict: Verdict) =>
  state === 'waiting' && verdict.state === 'aside' && verdict.why.startsWith('case-');

/** An answer that was set aside stays so until the team of the study has placed it. */
function judged(submission: Submission, verdict: Verdict, now: number): Submission {
  type Loose = Submission & { why?: string; detail?: string };
  const { state, askedAt: _, why: _why, detail: _detail, ...answered } = submission as Loose;
  if (verdict.state === 'sent') return { ...answered, items: {}, askedAt: now, ...verdict };
  if (state === 'aside' && verdict.state !== 'aside') return { ...submission, askedAt: now };
  return { ...answered, ...verdict, ...(verdict.state === 'aside' && { askedAt: now }) };
}
