import type { FollowUpRecord, Notification } from './columns.ts';

/** A notification that is stored only while what it was planned from is the same. */
export interface Planned extends Notification {
  plannedFrom: string;
}

/** A change of a notification that was sent: of what follows it, and of its retries. Instants are epoch ms. */
export interface FollowUpChange
  extends Pick<Notification, 'userId' | 'surveyId' | 'revision' | 'key' | 'nextFollowUpAt' | 'retryAt'> {
  /** Absent: as they are. */
  followUps?: FollowUpRecord[];
  /** What became of the first push on each phone. Absent: as it was. */
  pushes?: Notification['pushes'];
  /** The snooze that this was decided with: one that the phone asked for since stays. */
  readSnooze: number | null;
  snoozedUntil: number | null;
}

/** A device that the relay does not reach any more. `readAt` (epoch ms): one registered since stays enabled. */
export interface Unreachable {
  device: string;
  readAt: number;
}

/** What makes the notifications of some users what they should be. */
export interface Changes {
  /** Pending notifications to store, unless what they were planned from has changed. */
  schedule: Planned[];
  /** Pending notifications that stay as they are, planned from a newer state. Their attempts are left alone. */
  confirm: Planned[];
  /** Notifications that stay pending after an attempt, which is stored whatever has changed. */
  retried: Planned[];
  /** Notifications that are settled. */
  finish: Notification[];
  /** Pending notifications that do not come any more: settled, unless the state by which they do not come has changed. */
  invalidate: Planned[];
  /** Pending notifications whose date is not the next one, but comes later. They leave no trace; the same condition. */
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

/** When a delivery has something to do with a notification that is settled (epoch ms). */
export const laterPushes = ({
  nextFollowUpAt,
  retryAt,
}: Pick<Notification, 'nextFollowUpAt' | 'retryAt'>): number[] =>
  [nextFollowUpAt, retryAt].filter((at) => at !== null);

/** When a delivery has something to do with what is changed (epoch ms). */
export const nextTimes = ({ schedule, retried, finish, followUps }: Changes): number[] => [
  ...[...schedule, ...retried].map(({ nextAttemptAt }) => nextAttemptAt),
  ...[...finish, ...followUps].flatMap(laterPushes),
];
