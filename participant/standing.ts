import type { Form } from './drafts.ts';
import { type Due, endOf, expiryMsOf, type Known, today } from './due.ts';
import { answersTo, type Given, givenAt } from './given.ts';
import type { Snapshot, Survey } from './snapshot.ts';

/** The phone's knowledge of a reminder whose form is opened: people open them late, twice, and from the lock screen. */
export interface Standing {
  /** Answered at this time, by the service's clock; on this phone with these answers. */
  answeredAt?: number;
  given?: Given;
  /** Reminded of until then. */
  expiredAt?: number;
  /** The study takes no answer to it any more. */
  isClosed: boolean;
  /** A later reminder of the same survey. */
  newer?: Due;
}

/** The standing of a form. `since` is when it was opened, by the phone's clock. */
export function standingOf(
  form: Form,
  survey: Survey,
  { snapshot, since, ...known }: Known & { snapshot: Snapshot; since: number },
): Standing {
  const { notification } = form;
  const { now, clock = 0 } = known;
  const given = answersTo(known.outbox, form, since)[0];
  const told = snapshot.notifications.find(({ identifier }) => identifier === notification);
  const planned = snapshot.agenda.find((one) => one.notification === notification);
  const arrived = known.arrived.find((one) => one.notification === notification);
  const dueAt = told?.dueAt ?? planned?.dueAt;
  const due = dueAt !== undefined ? Date.parse(dueAt) : arrived && arrived.at + clock;
  const answeredAt = told?.answeredAt ? Date.parse(told.answeredAt) : given && givenAt(given);
  const { answerWithin, lateAnswers } = survey.reminders ?? {};
  const expiredAt = due === undefined ? undefined : endOf(survey, due, due + expiryMsOf(survey));
  const newer = today(snapshot, known).due.find(
    (one) => one.survey.identifier === survey.identifier && one.notification !== notification,
  );
  return {
    ...(answeredAt !== undefined && { answeredAt }),
    ...(given && { given }),
    ...(expiredAt !== undefined && expiredAt <= now && { expiredAt }),
    isClosed:
      due !== undefined &&
      lateAnswers === 'refuse' &&
      answerWithin !== undefined &&
      now - due > answerWithin * 60_000,
    ...(notification && newer && { newer }),
  };
}
