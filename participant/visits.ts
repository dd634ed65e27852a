/* How long the reminders of a survey are open. */

interface Timed {
  reminders: {
    expiresAfter?: number;
    answerWithin?: number | undefined;
    lateAnswers?: 'accept' | 'refuse' | undefined;
  } | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 3600 * 1000;

/** The longest that the service allows (ms). */
export const longestOpenMs = 60 * dayMs;

const defaultExpiryMinutes = 360;

/** For so long after its time a reminder may come again (ms). */
export const expiryMsOf = ({ reminders }: Timed): number =>
  (reminders?.expiresAfter ?? defaultExpiryMinutes) * minuteMs;

/** An answer that is given later than this is late; undefined: none is. */
const lateMsOf = ({ reminders }: Timed): number | undefined =>
  reminders?.answerWithin && reminders.answerWithin * minuteMs;

/**
 * For so long after its time a reminder is open for answers (ms): while it may come again, and of a visit while no answer is
 * late. A study that refuses late answers may end it before.
 */
export function openMsOf(survey: Timed): number {
  const [expiryMs, lateMs] = [expiryMsOf(survey), lateMsOf(survey)];
  if (lateMs === undefined) return expiryMs;
  if (survey.reminders?.lateAnswers === 'refuse' && lateMs < expiryMs) return lateMs;
  return lateMs > dayMs ? Math.max(expiryMs, lateMs) : expiryMs;
}

/** A reminder that stays open over days is a visit: several of a survey are open at once, each on its own. */
export const isVisit = (survey: Timed): boolean => openMsOf(survey) > dayMs;

/** Whether an answer at a time would be late, and is taken all the same. */
export const isLate = (survey: Timed, dueAt: number, at: number): boolean =>
  at - dueAt > (lateMsOf(survey) ?? Infinity);
