import type { Delivery, FirstPush, FollowUpRecord, notifications, Push } from './schema.ts';

type Row = typeof notifications.$inferSelect;

/** The state of a notification that is settled. */
export type Settled = Exclude<Row['state'], 'sending'>;

/**
 * A notification: one that comes (from the cursor, with the results of earlier attempts), or one that is settled.
 * Instants are epoch ms.
 */
export interface Notification
  extends Omit<
    Row,
    'state' | 'pushes' | 'outcome' | 'responseId' | 'shownAt' | 'dismissedAt' | 'properties'
  > {
  /** Null: it is not settled. */
  state: Settled | null;
  /** The time of its next or last attempt: `dueAt`, or later in quiet hours or after a push that was not accepted. */
  nextAttemptAt: number;
  attempts: number;
  /** The result of the first push on each phone. */
  deliveries: Delivery[];
  /** Nudges and snoozes, in order. */
  followUps: FollowUpRecord[];
  /** Of the last one that is settled: the times of its next nudge or snooze, and of the first push for phones without it. */
  nextFollowUpAt: number | null;
  retryAt: number | null;
  snoozedUntil: number | null;
}

/** The pushes of a notification in their stored form: null without any. */
export function toPushes({ attempts, deliveries, followUps, nextAttemptAt }: Notification): Push[] | null {
  const first: FirstPush = { kind: 'first', dueAt: iso(nextAttemptAt), attempts, deliveries };
  const pushes = [...(attempts > 0 ? [first] : []), ...followUps];
  return pushes.length > 0 ? pushes : null;
}

/** The inverse of {@link toPushes}, for a notification that is due at `dueAt` (epoch ms). */
export function fromPushes(
  pushes: readonly Push[] | null,
  dueAt: number,
): Pick<Notification, 'attempts' | 'deliveries' | 'followUps' | 'nextAttemptAt'> {
  const [first] = pushes ?? [];
  const isFirst = first?.kind === 'first';
  return {
    attempts: isFirst ? first.attempts : 0,
    deliveries: isFirst ? first.deliveries : [],
    nextAttemptAt: isFirst ? Date.parse(first.dueAt) : dueAt,
    followUps: (pushes ?? []).filter((push) => push.kind !== 'first'),
  };
}

/** Whether a phone has received a push. */
export const hasReachedPhone = ({ deliveries = [] }: { deliveries?: readonly Delivery[] }): boolean =>
  deliveries.some(({ messageId }) => messageId);

/** The times at which a settled notification is pushed again. */
export const laterPushes = ({
  nextFollowUpAt,
  retryAt,
}: Pick<Notification, 'nextFollowUpAt' | 'retryAt'>): number[] =>
  [nextFollowUpAt, retryAt].filter((at) => at !== null);

export const iso = (ms: number) => new Date(ms).toISOString();
