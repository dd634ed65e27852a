import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { requireStaff, studyOf } from '../permissions/visibility.ts';
import { waitNote } from '../schedule/quiet-hours.ts';
import { isDrawn } from '../schedule/rule.ts';
import { type Shown, showOccurrences } from '../schedule/shown.ts';
import { shownSlot, slotOf } from '../schedule/slots.ts';
import { type FollowUp, verdictOf } from '../schedule/verdicts.ts';
import { comingOf, toSent } from './follow-ups.ts';
import { selectReader } from './history.ts';
import { isHeld } from './plan.ts';
import { selectRemindersOf } from './reading.ts';
import { followedOf, toReminders, type UserReminders } from './state.ts';

type Reading = Pick<Context, 'db' | 'actor' | 'now' | 'log'>;

/** Upcoming occurrences of a user and a survey. */
export interface Upcoming {
  occurrences: Shown[];
  /** Times or weekdays are drawn for the user. */
  isDrawn: boolean;
  /** The next push of an occurrence that was sent. */
  followUp?: FollowUp & ReturnType<typeof shownSlot> & { notification: string; note?: string };
}

/**
 * The next `count` occurrences of a survey for a user: the actor, or for owners, editors and monitors anyone in the study; and the
 * follow-up of the last sent one. @throws resource.not-found, action.forbidden
 */
export async function readUpcoming(
  context: Reading,
  { survey, user }: { survey: string; user: string },
  count: number,
): Promise<Upcoming> {
  const { db, actor, now } = context;
  const [[me], rows] = await db.batch([
    selectReader(db, actor, { study: studyOf(survey), survey, user }),
    selectRemindersOf(db, { survey, user }, now),
  ]);
  if (!me?.seesSurvey) throw notFound('survey');
  if (user !== actor) requireStaff(me, 'see the reminders of others');
  if (!me.includesUser) throw notFound('user');
  const [state] = toReminders(context, rows);
  return state
    ? {
        occurrences: showOccurrences(state, comingSince(state, now), count),
        isDrawn: state.rule !== null && isDrawn(state.rule),
        ...pendingFollowUp(state, now),
      }
    : { occurrences: [], isDrawn: false };
}

/**
 * Occurrences that were due after this (epoch ms) are shown: including the pending one, if it waits for quiet hours to
 * end.
 */
export const comingSince = ({ pending }: UserReminders, now: number): number =>
  pending && isHeld(pending, now) ? pending.dueAt - 1 : now;

function pendingFollowUp(state: UserReminders, now: number): Pick<Upcoming, 'followUp'> {
  const followed = followedOf(state);
  const followUp = followed && comingOf(followed);
  if (!followUp) return {};
  const outcome = verdictOf({ ...toSent(followed), followUp }, state, Math.max(now, followUp.dueAt));
  const note =
    outcome.verdict === 'wait'
      ? waitNote(outcome.until)
      : outcome.verdict === 'skip' && `As things stand, skipped: ${outcome.reason}`;
  return {
    followUp: {
      notification: followed.id,
      ...shownSlot(slotOf(followed.key)),
      ...followUp,
      ...(note && { note }),
    },
  };
}
