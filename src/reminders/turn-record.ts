import { isNewer } from './decide.ts';
import type { GonePhone } from './gone-phones.ts';
import { lateOf } from './late-answers.ts';
import { laterPushes, type Notification, toPushes } from './notification.ts';
import type { Plan } from './plan.ts';
import type { UserReminders } from './state.ts';
import { keepTriggers } from './triggers.ts';

/** The result of one cursor's turn. */
export interface Result extends Plan {
  state: UserReminders;
  /** It is left as it was, to a turn that pushes. */
  isLeft?: boolean;
}

/** The record of a turn: plain data, which may be joined with that of other turns. */
export interface TurnRecord {
  notifications: object[];
  late: object[];
  again: object[];
  left: object[];
  cursors: object[];
  gone: GonePhone[];
}

/** The record of results, and of phones that the relay no longer reaches. */
export const recordOf = (results: readonly Result[], gone: GonePhone[]): TurnRecord => ({
  notifications: results.flatMap(notificationsOf),
  late: results.flatMap((result) => lateOf(writtenOf(result), result.state.pending)),
  again: results.flatMap(againOf),
  left: results.flatMap(leftOf),
  cursors: results.map(cursorOf),
  gone,
});

export const joinRecords = (records: readonly TurnRecord[]): TurnRecord => ({
  notifications: records.flatMap(({ notifications }) => notifications),
  late: records.flatMap(({ late }) => late),
  again: records.flatMap(({ again }) => again),
  left: records.flatMap(({ left }) => left),
  cursors: records.flatMap(({ cursors }) => cursors),
  gone: records.flatMap(({ gone }) => gone),
});

/** The columns of a notification that the record names as they are. */
export const stored = [
  'userId',
  'dueAt',
  'id',
  'surveyId',
  'revision',
  'key',
  'counter',
  'timeZone',
  'settledAt',
];

/** The notifications to write: settled ones, and the next one while its push is tried again. */
const notificationsOf = (result: Result) =>
  writtenOf(result).map((one) => ({
    ...Object.fromEntries(stored.map((name) => [name, one[name as keyof Notification]])),
    state: one.state ?? 'sending',
    reason: one.reason,
    pushes: toPushes(one),
    answeredAt: one.answeredAt,
  }));

const writtenOf = ({ finish, next }: Result) => [...finish, ...(next && isTried(next) ? [next] : [])];

/** Its push has been tried, and will be again. */
const isTried = ({ attempts }: Notification) => attempts > 0;

const againOf = ({ again }: Result) =>
  again ? [{ userId: again.userId, dueAt: again.dueAt, id: again.id, pushes: toPushes(again) }] : [];

/** A notification whose time had come, and that waits again without an attempt: it is in the future. */
const leftOf = (result: Result) => {
  const { pending } = result.state;
  return pending && !writtenOf(result).some(({ id }) => id === pending.id) ? [{ id: pending.id }] : [];
};

/** The turn's knowledge of the past, and the plan. */
function cursorOf({ state, finish, next, again, isLeft = false }: Result) {
  const counting = finish.filter((one) => one.state !== 'invalidated');
  const last = counting.reduce<Notification | null>(
    (newest, one) => (newest && isNewer(newest, one) ? newest : one),
    again ?? state.last,
  );
  const times = last && { againAt: last.nextFollowUpAt, retryAt: last.retryAt };
  return {
    userId: state.user,
    surveyId: state.survey,
    ...state.turn,
    isLeft: Number(isLeft),
    last: last?.id ?? null,
    ...times,
    readSnooze: state.last?.snoozedUntil ?? null,
    snoozedUntil: last?.snoozedUntil ?? null,
    counting: counting.map(({ id }) => id),
    ...(state.triggers && {
      triggers: keepTriggers(state.triggers, { revision: state.revision, settled: counting, last }),
    }),
    isSettled: finish.some(({ id }) => id === state.pending?.id) ? 1 : 0,
    ...(next && {
      id: next.id,
      revision: next.revision,
      key: next.key,
      counter: next.counter,
      dueAt: next.dueAt,
      timeZone: next.timeZone,
      attemptAt: next.nextAttemptAt,
    }),
    nextAt: earliest([...(next ? [next.nextAttemptAt] : []), ...(last ? laterPushes(last) : [])]),
  };
}

const earliest = (times: number[]) => (times.length > 0 ? Math.min(...times) : null);
