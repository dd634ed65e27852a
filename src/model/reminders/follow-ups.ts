import type { Sent } from '../../schedule/follow-ups.ts';
import { quietUntil } from '../../schedule/quiet-hours.ts';
import { slotOf } from '../../schedule/slots.ts';
import type { FollowUpEntry, Notification } from './columns.ts';
import type { UserReminders } from './state.ts';
import type { FollowedUp } from './statements.ts';

/** A notification that was sent, as what may follow it is decided. */
export const toSent = ({
  revision,
  key,
  dueAt,
  settledAt,
  followUps,
  nextFollowUpAt,
  snoozedUntil,
  openedAt,
}: Notification): Sent => ({
  ...slotOf(key),
  revision,
  dueAt,
  sentAt: settledAt ?? dueAt,
  nudges: (followUps ?? []).filter(({ kind, state }) => kind === 'nudge' && state !== 'retrying').length,
  nextAt: retriedAt(followUps) ?? snoozedUntil ?? nextFollowUpAt ?? dueAt,
  snoozedUntil,
  openedAt,
});

/** When the one was due that is to be tried again. */
const retriedAt = (followUps: FollowUpEntry[] | null) => {
  const retried = followUps?.find(({ state }) => state === 'retrying');
  return retried && Date.parse(retried.dueAt);
};

/** What comes at `nextFollowUpAt`. */
export const nextKindOf = ({ snoozedUntil }: Pick<Notification, 'snoozedUntil'>) =>
  snoozedUntil === null ? 'nudge' : 'snooze';

/** The push that a phone asked for waits for quiet hours to end. */
export const isSnoozeHeld = ({
  snoozedUntil,
  nextFollowUpAt,
  followUps,
}: Pick<Notification, 'snoozedUntil' | 'nextFollowUpAt' | 'followUps'>): boolean =>
  snoozedUntil !== null &&
  (nextFollowUpAt ?? 0) > snoozedUntil &&
  !followUps?.some(({ state }) => state === 'retrying');

/** A snooze waits for quiet hours to end that have changed since: it is decided again. */
export function resumedSnooze(followed: Notification, state: UserReminders, now: number): FollowedUp[] {
  const { userId, surveyId, revision, key, nextFollowUpAt, snoozedUntil } = followed;
  const end = quietUntil(now, state.quietHours ?? null, state.timeZone);
  if (!isSnoozeHeld(followed) || snoozedUntil === null || snoozedUntil > now || nextFollowUpAt === end)
    return [];
  return [{ userId, surveyId, revision, key, next: snoozedUntil, readSnooze: snoozedUntil, snoozedUntil }];
}
