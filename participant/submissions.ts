import type { Form } from './drafts.ts';
import type { Verdict } from './verdict.ts';

/** Answers to one survey. They stay on the phone until the service has them. */
export type Submission = Answered & Verdict;

export interface Answered {
  /** Of the response, chosen here: the service stores it once, however often it is sent. */
  identifier: string;
  user: string;
  survey: string;
  study: string;
  items: Record<string, string>;
  /** When they were given, by the phone's own clock. */
  at: string;
  /** Milliseconds by which the service's clock was ahead of it then, as far as was known. */
  ahead: number;
  /** The reminder that they answer. */
  notification?: string;
  /** When the service last took these answers, or was asked about those that it has set aside, in epoch ms. */
  askedAt?: number;
}

/** When answers were given, by the service's clock, in epoch ms. */
export const submittedAt = ({ at, ahead = 0 }: Pick<Submission, 'at' | 'ahead'>) => Date.parse(at) + ahead;

/** Answers of the participant that this phone has now: others may have used it before. */
export const ownSubmissions = (
  outbox: readonly Submission[],
  session: { user: string } | undefined,
): Submission[] => outbox.filter(({ user }) => user === session?.user);

/** Answers that no one but this phone has. */
export const isUnsent = ({ state }: Submission) => state !== 'sent' && state !== 'aside';

/** Answers of this phone to an occurrence, or to a survey without reminders since a form was opened. */
export const answersTo = (
  outbox: readonly Submission[],
  { survey, notification }: Form,
  since: number,
): Submission[] =>
  outbox
    .filter((submission) => submission.survey === survey && submission.notification === notification)
    .filter(({ state }) => state === 'sent' || state === 'waiting' || state === 'aside')
    .filter(({ at }) => notification !== undefined || Date.parse(at) >= since);
