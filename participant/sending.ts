import { api, isProblem } from './api.ts';
import { ownCase, replaceCase } from './own-case.ts';
import { readKept } from './store.ts';
import type { Submission } from './submissions.ts';
import { type Verdict, verdictOf, verdictOfError } from './verdict.ts';

/** Parts that a request leaves out, since the service refused them, and nothing else. */
interface Without {
  notification?: boolean;
  at?: boolean;
  /** The case that was known. */
  knownCase?: boolean;
}

/** Sends answers, and says what the service made of them. */
export async function send(submission: Submission, without: Without = {}): Promise<Verdict> {
  try {
    const answer = await post(submission, without);
    return verdictOf(answer.status, await answer.json(), submission.identifier);
  } catch (error) {
    return verdictAfter(error, submission, without);
  }
}

async function verdictAfter(error: unknown, submission: Submission, without: Without): Promise<Verdict> {
  const part = refusedPart(error);
  if (part === 'at' && isOld(submission)) return { state: 'refused', why: 'old' };
  try {
    if (part && !without[part]) {
      if (part === 'knownCase') await replaceCase(submission);
      return await send(submission, { ...without, [part]: true });
    }
    // The answer of an earlier try was lost, and the team of the study may have changed the response since.
    if (isProblem(error) && error.code === 'identifier.taken' && (await isThere(submission.identifier)))
      return { state: 'sent' };
  } catch (lost) {
    return verdictOfError(lost);
  }
  return verdictOfError(error);
}

const parts: Partial<Record<string, keyof Without>> = {
  '/notification': 'notification',
  '/at': 'at',
  '/case': 'knownCase',
};

/** The one part that is refused: an answer is not lost for it. A locked case is another matter. */
function refusedPart(error: unknown): keyof Without | undefined {
  if (!isProblem(error, 400, 404, 409)) return undefined;
  const pointers = new Set(error.errors.map(({ pointer }) => pointer));
  const [pointer] = pointers;
  return pointers.size === 1 && pointer !== undefined ? parts[pointer] : undefined;
}

const oldMs = 30 * 24 * 3600 * 1000;

const isOld = ({ at }: Submission) => Date.parse(at) < Date.now() - oldMs;

/** Below this the clock has not been set, but was measured a little differently. */
const jitterMs = 60_000;

/**
 * The body has the phone's own times, which the service moves by the distance of the clocks. If the clock was set since the
 * answers were given, `at` is what it would have said then; if that is still to come, nobody knows, and the service takes now.
 */
async function post(submission: Submission, without: Without) {
  const { identifier, survey, items, notification } = submission;
  const own = await ownCase(submission);
  const ahead = (await readKept<number>('clock')) ?? 0;
  const clock = Date.now();
  const moved = submission.ahead - ahead;
  const at = Date.parse(submission.at) + (Math.abs(moved) > jitterMs ? moved : 0);
  const json = {
    case: own,
    items,
    identifier,
    clock: new Date(clock).toISOString(),
    ...(!without.at && at <= clock && { at: new Date(at).toISOString() }),
    ...(notification && !without.notification && { notification }),
  };
  const answer = await api.survey[':id'].response.$post({ param: { id: survey }, json });
  return { status: answer.status as number, json: (): Promise<unknown> => answer.json() };
}

async function isThere(identifier: string): Promise<boolean> {
  try {
    await api.response[':id'].$get({ param: { id: identifier }, query: {} });
    return true;
  } catch (error) {
    if (isProblem(error, 404) && error.code !== 'unknown') return false;
    throw error;
  }
}
