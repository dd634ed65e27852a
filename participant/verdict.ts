import { ProblemError } from '../client/client.ts';

/*
 * The phone's knowledge of an answer: all that the page says about it comes from here. Only the service's own word makes an
 * answer stored, set aside or refused; anything else leaves it waiting.
 */

/** Why an answer waits. The page sends it again by itself. */
export type Waiting =
  /** Not sent yet. */
  | 'new'
  | 'network'
  /** The service did not answer in time: whether it has the answer, nobody here knows. */
  | 'unknown'
  /** Something else answered in its place: the page of a Wi-Fi that wants a sign-in, or a proxy. */
  | 'stranger'
  /** The service is busy, or at fault. */
  | 'service'
  | 'signedOut'
  | 'locked'
  | 'frozen'
  | 'full';

/** Why an answer is refused, for good. */
export type Refused =
  | 'surveyEnded'
  | 'studyEnded'
  | 'late'
  | 'gone'
  | 'forbidden'
  | 'old'
  | 'invalid'
  | 'large'
  | 'taken'
  | 'other';

const asideReasons = [
  'survey-archived',
  'study-archived',
  'study-deleted',
  'case-archived',
  'case-deleted',
  'case-hidden',
  'left-study',
  'not-in-group',
] as const;
/** Why the service has set an answer aside for the study team. */
export type Aside = (typeof asideReasons)[number] | 'aside';

export type Verdict =
  | { state: 'sent' }
  | { state: 'waiting'; why: Waiting }
  | { state: 'aside'; why: Aside }
  | { state: 'refused'; why: Refused; detail?: string }
  /** Somebody is changing it, to send it again. */
  | { state: 'changing' };

/** The verdict of an answer of the service that is no error. It has to name what it stored. */
export function verdictOf(status: number, body: unknown, identifier: string): Verdict {
  const { uri, setAside } = (body ?? {}) as { uri?: unknown; setAside?: unknown };
  if (status === 202 && typeof setAside === 'string')
    return { state: 'aside', why: asideReasons.find((reason) => reason === setAside) ?? 'aside' };
  if ((status === 200 || status === 201) && uri === `/response/${identifier}`) return { state: 'sent' };
  return { state: 'waiting', why: 'stranger' };
}

/** Problems that pass, and those that are for good. Others go by their status. */
const reasons: Partial<Record<string, Waiting | Refused>> = {
  'study.frozen': 'frozen',
  'limit.reached': 'full',
  'item.archived': 'surveyEnded',
  'study.archived': 'studyEnded',
  'survey.closed': 'late',
  'resource.not-found': 'gone',
  'action.forbidden': 'forbidden',
  'user.not-signed-up': 'forbidden',
  'request.invalid': 'invalid',
  'request.too-large': 'large',
  'identifier.taken': 'taken',
  'request.in-progress': 'service',
};

const passing: readonly string[] = ['frozen', 'full', 'service'] satisfies Waiting[];

/** The verdict of an error. */
export function verdictOfError(error: unknown): Verdict {
  if (!(error instanceof ProblemError)) return { state: 'waiting', why: whyOf(error) };
  const { status, code, message, errors } = error;
  if (status === 408 || status === 425 || status === 429 || status >= 499)
    return { state: 'waiting', why: 'service' };
  // Every problem of the service has a code.
  if (code === 'unknown') return { state: 'waiting', why: 'stranger' };
  if (status === 401) return { state: 'waiting', why: 'signedOut' };
  if (status === 423) return { state: 'waiting', why: code === 'study.frozen' ? 'frozen' : 'locked' };
  const why = reasons[code] ?? 'other';
  if (passing.includes(why)) return { state: 'waiting', why: why as Waiting };
  return { state: 'refused', why: why as Refused, detail: errors[0]?.detail ?? message };
}

/** An answer in the service's place: a Wi-Fi's own page says 200 to everything. */
export class ForeignAnswer extends Error {}

/** An answer that is no JSON comes from somebody else, too. */
function whyOf(error: unknown): Waiting {
  if (error instanceof SyntaxError || error instanceof ForeignAnswer) return 'stranger';
  return error instanceof Error && /^(?:TimeoutError|AbortError)$/.test(error.name) ? 'unknown' : 'network';
}

/** With these the next answer would fare no better. */
export const stopsAll = (verdict: Verdict): boolean =>
  verdict.state === 'waiting' && ['network', 'unknown', 'stranger', 'signedOut'].includes(verdict.why);
