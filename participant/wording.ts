import { ProblemError } from '../client/client.ts';
import type { Texts } from './strings/en.ts';
import { fill } from './strings/fill.ts';
import type { Refused, Verdict, Waiting } from './verdict.ts';

/* All that the page says about an answer follows from its verdict. Only `sent` may say that the study has it. */

const headings: Record<Waiting, 'kept' | 'held' | 'unknown' | 'waits'> = {
  new: 'waits',
  network: 'kept',
  unknown: 'unknown',
  stranger: 'waits',
  service: 'waits',
  signedOut: 'waits',
  locked: 'held',
  frozen: 'held',
  full: 'held',
};

/** After Send. */
export function headingOf(verdict: Verdict, { survey, sent }: Texts): string {
  switch (verdict.state) {
    case 'sent':
      return survey.sent;
    case 'aside':
      return survey.aside;
    case 'waiting':
      return survey[headings[verdict.why]];
    case 'refused':
      return sent.refusedText;
    case 'changing':
      return sent.changing;
  }
}

/** Why the service does not have an answer, or what it does with it. */
export function reasonOf(verdict: Verdict, { sent }: Texts): string {
  switch (verdict.state) {
    case 'sent':
      return '';
    case 'changing':
      return sent.changing;
    case 'refused':
      return fill(sent.why[verdict.why], { detail: verdict.detail ?? '' });
    default:
      return sent.why[verdict.why];
  }
}

/** Refusals after which other answers may be taken: with the others there is nothing to change. */
const mendable: readonly Refused[] = ['invalid', 'large', 'taken', 'other', 'surveyEnded', 'studyEnded'];

export const isMendable = (verdict: Verdict): boolean =>
  verdict.state === 'changing' ||
  (verdict.state === 'waiting' && /^(?:locked|frozen|full)$/.test(verdict.why)) ||
  (verdict.state === 'refused' && mendable.includes(verdict.why));

/** The fate of a change to answers that the study has. */
export function changeFaultOf(error: unknown, { sent }: Texts): string {
  if (!(error instanceof ProblemError) || error.code === 'unknown' || error.status >= 499) return sent.unsure;
  switch (error.code) {
    case 'item.locked':
      return sent.lockedNow;
    case 'study.frozen':
      return sent.frozenNow;
    case 'limit.reached':
      return sent.fullNow;
    case 'item.archived':
    case 'study.archived':
      return sent.closedNow;
    case 'resource.not-found':
      return sent.missing;
    case 'revision.stale':
      return sent.stale;
  }
  return fill(sent.failed, { detail: error.errors[0]?.detail ?? error.message });
}

/** Why answers that the study has cannot be shown. */
export const readFaultOf = (error: unknown, { sent }: Texts): string =>
  error instanceof ProblemError && error.code === 'resource.not-found' ? sent.missing : sent.needsNetwork;
