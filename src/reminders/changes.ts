import type { Notification, NotificationKey } from './columns.ts';
import type { FollowUpRecord } from './schema.ts';

/** A notification that is stored only while the stamps that it was planned from hold. */
export interface Planned extends Notification {
  plannedFrom: string;
}

/** A change of a notification that was sent: of its follow-ups and retries. Instants are epoch ms. */
export interface FollowUpChange extends NotificationKey, Pick<Notification, 'nextFollowUpAt' | 'retryAt'> {
  /** Absent: unchanged. */
  followUps?: FollowUpRecord[];
  /** The result of the first push on each phone. Absent: unchanged. */
  deliveries?: Notification['deliveries'];
  /** The snooze that the decision was based on: one that the phone requested since then stays. */
  readSnooze: number | null;
  snoozedUntil: number | null;
}

/** A device that the relay no longer reaches. `readAt` (epoch ms): a device registered since then stays enabled. */
export interface Unreachable {
  device: string;
  readAt: number;
}

/** The changes that bring the notifications of some users up to date. */
export interface Changes {
  /** Pending notifications to store, unless the stamps that they were planned from have changed. */
  schedule: Planned[];
  /** Unchanged pending notifications, planned from a newer state. Their attempts are left alone. */
  confirm: Planned[];
  /** Notifications that stay pending after an attempt; stored even if the stamps have changed. */
  retried: Planned[];
  /** Notifications that are settled. */
  finish: Notification[];
  /**
   * Pending notifications that will not come: settled, unless the stamps behind that decision have changed; as `answered`
   * if they were.
   */
  invalidate: Planned[];
  /**
   * Pending notifications whose date is not the next one, but comes later: removed without a trace, under the same
   * condition.
   */
  unschedule: Planned[];
  followUps: FollowUpChange[];
  disable: Unreachable[];
}

export const noChanges = (): Changes => ({
  schedule: [],
  confirm: [],
  retried: [],
  finish: [],
  invalidate: [],
  unschedule: [],
  followUps: [],
  disable: [],
});

export const joinChanges = (all: readonly Changes[]): Changes => ({
  schedule: all.flatMap((changes) => changes.schedule),
  confirm: all.flatMap((changes) => changes.confirm),
  retried: all.flatMap((changes) => changes.retried),
  finish: all.flatMap((changes) => changes.finish),
  invalidate: all.flatMap((changes) => changes.invalidate),
  unschedule: all.flatMap((changes) => changes.unschedule),
  followUps: all.flatMap((changes) => changes.followUps),
  disable: all.flatMap((changes) => changes.disable),
});

/** The next time at which a delivery handles a settled notification (epoch ms). */
export const laterPushes = ({
  nextFollowUpAt,
  retryAt,
}: Pick<Notification, 'nextFollowUpAt' | 'retryAt'>): number[] =>
  [nextFollowUpAt, retryAt].filter((at) => at !== null);

/** The next time at which a delivery handles one of the changes (epoch ms). */
export const nextTimes = ({ schedule, retried, finish, followUps }: Changes): number[] => [
  ...[...schedule, ...retried].map(({ nextAttemptAt }) => nextAttemptAt),
  ...[...finish, ...followUps].flatMap(laterPushes),
];
