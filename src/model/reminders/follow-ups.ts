import type { Sent } from '../../schedule/follow-ups.ts';
import { quietUntil } from '../../schedule/quiet-hours.ts';
import { slotOf } from '../../schedule/slots.ts';
import type { FollowUpEntry, Notification } from './columns.ts';
import { readFollowUps } from './deliveries.ts';
import type { UserReminders } from './state.ts';
import type { FollowedUp } from './statements.ts';

/** A notification that was sent, as what may follow it is decided. */
export const toSent = (notification: Notification): Sent => {
  const { revision, key, dueAt, settledAt, followUps, snoozedUntil, openedAt } = notification;
  const first = firstOf(notification);
  return {
    ...slotOf(key),
    revision,
    dueAt,
    sentAt: settledAt ?? dueAt,
    nudges: (followUps ?? []).filter(({ kind, state }) => kind === 'nudge' && state !== 'retrying').length,
    nextAt:
      retriedAt(followUps) ?? snoozedUntil ?? (first ? nudgeBehind(first) : notification.nextFollowUpAt),
    unreached: first !== undefined,
    snoozedUntil,
    openedAt,
  };
};

type WithFollowUps = Pick<Notification, 'followUps'>;

/** The first push, if some phones are still to be tried. */
export const firstOf = ({ followUps }: WithFollowUps): FollowUpEntry | undefined =>
  followUps?.find(({ kind }) => kind === 'first');

const nudgeBehind = ({ nextAt }: FollowUpEntry) => (nextAt === undefined ? null : Date.parse(nextAt));

/** When the nudge or snooze was due that is to be tried again. */
const retriedAt = (followUps: FollowUpEntry[] | null) => {
  const retried = followUps?.find(({ kind, state }) => kind !== 'first' && state === 'retrying');
  return retried && Date.parse(retried.dueAt);
};

/** A nudge or a snooze. */
type Tried = FollowUpEntry & { kind: 'nudge' | 'snooze' };

/** What followed the first push. */
export const triesOf = ({ followUps }: WithFollowUps): Tried[] =>
  readFollowUps(followUps).filter((entry): entry is Tried => entry.kind !== 'first');

/** A nudge or snooze to come, and when (epoch ms). */
export interface Coming {
  kind: Tried['kind'];
  dueAt: number;
}

/** The one that comes next. */
export function comingOf(
  row: Pick<Notification, 'snoozedUntil' | 'nextFollowUpAt' | 'followUps'>,
): Coming | null {
  const { snoozedUntil, nextFollowUpAt } = row;
  const first = firstOf(row);
  const dueAt = first && snoozedUntil === null ? nudgeBehind(first) : nextFollowUpAt;
  return dueAt === null ? null : { kind: snoozedUntil === null ? 'nudge' : 'snooze', dueAt };
}

/** The push that a phone asked for waits for quiet hours to end. */
export const isSnoozeHeld = ({
  snoozedUntil,
  nextFollowUpAt,
  followUps,
}: Pick<Notification, 'snoozedUntil' | 'nextFollowUpAt' | 'followUps'>): boolean =>
  snoozedUntil !== null && (nextFollowUpAt ?? 0) > snoozedUntil && retriedAt(followUps) === undefined;

/** A snooze waits for quiet hours to end that have changed since: it is decided again. */
export function resumedSnooze(followed: Notification, state: UserReminders, now: number): FollowedUp[] {
  const { userId, surveyId, revision, key, nextFollowUpAt, snoozedUntil } = followed;
  const end = quietUntil(now, state.quietHours ?? null, state.timeZone);
  if (!isSnoozeHeld(followed) || snoozedUntil === null || snoozedUntil > now || nextFollowUpAt === end)
    return [];
  return [{ userId, surveyId, revision, key, next: snoozedUntil, readSnooze: snoozedUntil, snoozedUntil }];
}
