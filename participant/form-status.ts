import type { Form } from './drafts.ts';
import { type Due, type Known, today } from './due.ts';
import type { Snapshot, Survey } from './snapshot.ts';
import { answersTo, type Submission, submittedAt } from './submissions.ts';
import { isLate, openMsOf } from './visits.ts';

/** The phone's knowledge of a reminder whose form is opened: people open them late, twice, and from the lock screen. */
export interface FormStatus {
  /** Answered at this time, by the service's clock; on this phone with these answers. */
  answeredAt?: number;
  submission?: Submission;
  /** Reminded of until then. */
  expiredAt?: number;
  /** The study takes no answer to it any more. */
  isClosed: boolean;
  /** A later reminder of the same survey. */
  newer?: Due;
}

/** The status of a form. `since` is when it was opened, by the phone's clock. */
export function formStatusOf(
  form: Form,
  survey: Survey,
  { snapshot, since, ...known }: Known & { snapshot: Snapshot; since: number },
): FormStatus {
  const { notification } = form;
  const { now, clock = 0 } = known;
  const submission = answersTo(known.outbox, form, since)[0];
  const sent = snapshot.notifications.find(({ identifier }) => identifier === notification);
  const planned = snapshot.agenda.find((occurrence) => occurrence.notification === notification);
  const arrived = known.arrived.find((push) => push.notification === notification);
  const dueAt = sent?.dueAt ?? planned?.dueAt;
  const due = dueAt !== undefined ? Date.parse(dueAt) : arrived && arrived.at + clock;
  const answeredAt = sent?.answeredAt ? Date.parse(sent.answeredAt) : submission && submittedAt(submission);
  const expiredAt = due === undefined ? undefined : due + openMsOf(survey);
  const newer = today(snapshot, known)
    .due.filter((other) => other.survey.identifier === survey.identifier)
    .filter((other) => other.notification !== notification && other.dueAt > (due ?? 0))
    .pop();
  return {
    ...(answeredAt !== undefined && { answeredAt }),
    ...(submission && { submission }),
    ...(expiredAt !== undefined && expiredAt <= now && { expiredAt }),
    isClosed: due !== undefined && survey.reminders?.lateAnswers === 'refuse' && isLate(survey, due, now),
    ...(notification && newer && { newer }),
  };
}
