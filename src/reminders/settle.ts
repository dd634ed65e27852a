import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { each, oneOf, queryEach } from '../db/json.ts';
import { namedBatch } from '../db/named-batch.ts';
import { devices } from '../phones/schema.ts';
import { usersOfSwitched } from '../phones/zone-schema.ts';
import { lateOf, noteLateAnswers } from './answers.ts';
import { type Poll, selectPolls } from './claim.ts';
import { isNewer } from './decide.ts';
import { laterPushes, type Notification, toPushes } from './notification.ts';
import type { Plan } from './plan.ts';
import type { UserReminders } from './state.ts';
import { keepTriggers } from './triggers.ts';
import { wakeSelected } from './wake.ts';

/**
 * Writes the record of a slice in one batch. The notifications, and what is known of the past, stand in any case; a cursor
 * moves only where nobody has changed what its plan depends on since the claim, and is due at once otherwise. Returns when
 * to look next: at these users, or at each cursor.
 */
export async function settle(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { notifications, late, again, withdrawn, cursors, gone }: SliceRecord,
  users?: readonly string[],
): Promise<Poll[]> {
  const some = <S>(rows: object[], statement: (rows: object[]) => S) =>
    rows.length > 0 ? statement(rows) : undefined;
  const settled = await namedBatch(db, {
    moved: some(notifications.filter(mayHaveBeen), (rows) => moveTakenBack(db, rows)),
    notifications: some(notifications, (rows) => upsertNotifications(db, rows)),
    answers: some(late, (rows) => noteLateAnswers(db, rows)),
    again: some(again, (rows) => updatePushes(db, rows)),
    withdrawn: some(withdrawn, (rows) => deleteWithdrawn(db, rows)),
    cursors: some(cursors, (rows) => moveCursors(db, rows, { now })),
    ...(gone.length > 0 && disableDevices({ db, now }, gone)),
    polls: users && selectPolls(db, users),
  });
  return settled.polls ?? settled.cursors ?? [];
}

/** In SQL: a value of a row. */
const text = (name: string) => sql.raw(`p.value ->> '${name}'`);

/** JSON null arrives as a text. */
const pushes = sql`nullif(p.value -> 'pushes', 'null')`;

const isTakenBack = sql`excluded.state = 'invalidated' and coalesce(notification.answered_at >= notification.due_at, 0)`;

/** A push that is to be tried again goes with its person, who may have deleted their account meanwhile. */
const isFinished = sql`${text('state')} <> 'sending'`;
const hasCursor = sql`exists (select 1 from scheduled_notification c where c.user_id = ${text('userId')} and c.survey_id = ${text('surveyId')})`;

/** The columns of a notification, by their names in the JSON. */
const columns = {
  user_id: 'userId',
  due_at: 'dueAt',
  id: 'id',
  survey_id: 'surveyId',
  revision: 'revision',
  occurrence: 'key',
  counter: 'counter',
  time_zone: 'timeZone',
  settled_at: 'settledAt',
  state: 'state',
  reason: 'reason',
  answered_at: 'answeredAt',
} as const;
const fields = Object.values(columns);

/** A notification counts in the group that its person was in when it got an outcome, even if that changes. */
const group = sql`iif(notification.state in ('sending', 'invalidated'), excluded.properties, notification.properties)`;

const upsertNotifications = queryEach(
  (rows) => sql`insert into notification (${sql.raw(Object.keys(columns).join(', '))}, properties, pushes)
  select ${sql.join(fields.map(text), sql`, `)}, ${text('properties')}, ${pushes} from ${rows} p where ${isFinished} or ${hasCursor}
  on conflict (id) do update set counter = excluded.counter, time_zone = excluded.time_zone,
    settled_at = excluded.settled_at, pushes = excluded.pushes,
    state = iif(${isTakenBack}, 'skipped', excluded.state), reason = iif(${isTakenBack}, 'answered', excluded.reason),
    answered_at = coalesce(notification.answered_at, excluded.answered_at), properties = ${group}
  where notification.state in ('sending', 'invalidated')
    or (notification.state <> 'sent' and excluded.state = 'sent')`,
);

/** Without a claim of their own: such a one may have been taken back before, at another time. */
const mayHaveBeen = (one: object) =>
  'state' in one && (one.state === 'skipped' || one.state === 'invalidated');

const moveTakenBack = queryEach(
  (
    rows,
  ) => sql`update notification set due_at = ${text('dueAt')}, revision = ${text('revision')}, occurrence = ${text('key')}
    from ${rows} p where id = ${text('id')} and state = 'invalidated'
      and (due_at, revision, occurrence) is not (${text('dueAt')}, ${text('revision')}, ${text('key')})`,
);

const updatePushes = queryEach(
  (rows) => sql`update notification set pushes = ${pushes} from ${rows} p
    where (user_id, due_at, id) = (${text('userId')}, ${text('dueAt')}, ${text('id')})`,
);

const deleteWithdrawn = queryEach(
  (rows) =>
    sql`delete from notification where state = 'sending' and id in (select ${text('id')} from ${rows} p)`,
);

/** The columns of the plan, by their names in the JSON. */
const plan = {
  id: 'id',
  revision: 'revision',
  occurrence: 'key',
  counter: 'counter',
  due_at: 'dueAt',
  time_zone: 'timeZone',
  attempt_at: 'attemptAt',
};
/** In SQL: the notifications that count since the last one with an answer, which may have come after the claim. */
const unanswered = sql`coalesce(json_array_length(p.value -> 'counting') - 1 - (select max(a.key)
      from json_each(p.value -> 'counting') a cross join notification n on n.id = a.value
      where n.answered_at is not null or (n.state = 'skipped' and n.reason = 'answered')),
    json_array_length(p.value -> 'counting') + c.unanswered)`;

const isStill = sql`c.version = ${text('version')}`;

const planned = Object.entries(plan).map(([column, name]) => {
  const stays = sql`iif(${text('isFinished')}, null, c.${sql.raw(column)})`;
  return sql`${sql.raw(column)} = iif(${isStill}, ${text(name)}, ${stays})`;
});

const moveCursors = queryEach<Poll>(
  (rows) => sql`update scheduled_notification as c set claimed_until = null,
    claims = iif(${text('isDeferred')}, c.claims - 1, 0), last = ${text('last')},
    again_at = iif(c.snoozed_until is ${text('readSnooze')}, ${text('againAt')}, c.again_at), retry_at = ${text('retryAt')},
    snoozed_until = iif(c.snoozed_until is ${text('readSnooze')}, ${text('snoozedUntil')}, c.snoozed_until),
    unanswered = ${unanswered},
    ${sql.join(planned, sql`, `)},
    triggers = iif(${isStill}, ${text('triggers')}, null), next_at = iif(${isStill}, ${text('nextAt')}, :now)
  from ${rows} p where (c.user_id, c.survey_id) = (${text('userId')}, ${text('surveyId')})
    and c.claimed_until = ${text('until')}
  returning user_id as user, next_at as at`,
);

/** The result of one cursor's slice. */
export interface Result extends Plan {
  state: UserReminders;
  /** Another slice has to push: the cursor stays as it was. */
  isDeferred?: boolean;
}

const lists = ['notifications', 'late', 'again', 'withdrawn', 'cursors'] as const;

/** The record of a slice: plain data, which may be joined with that of other slices. */
export type SliceRecord = Record<(typeof lists)[number], object[]> & { gone: GonePhone[] };

/** The record of results, and of phones that the relay no longer reaches. */
export const recordOf = (results: readonly Result[], gone: GonePhone[]): SliceRecord => ({
  notifications: results.flatMap((result) =>
    writtenOf(result).map((one) => ({ ...toRow(one), properties: result.state.combination })),
  ),
  late: results.flatMap((result) => lateOf(writtenOf(result), result.state.pending)),
  again: results.flatMap(({ again }) => (again ? [toRow(again)] : [])),
  withdrawn: results.flatMap(withdrawnOf),
  cursors: results.map(cursorOf),
  gone,
});

export const joinRecords = (records: readonly SliceRecord[]): SliceRecord =>
  Object.fromEntries(
    [...lists, 'gone' as const].map((list) => [list, records.flatMap((record): object[] => record[list])]),
  ) as SliceRecord;

/** The notifications to write: finished ones, and the next one while its push is tried again. */
const writtenOf = ({ finish, next }: Result) => [...finish, ...(next && next.attempts > 0 ? [next] : [])];

const toRow = (notification: Notification) => ({
  ...Object.fromEntries(fields.map((field) => [field, notification[field]])),
  state: notification.state ?? 'sending',
  pushes: toPushes(notification),
});

/** A notification whose time had come, and that waits again without an attempt: it is in the future. */
const withdrawnOf = (result: Result) => {
  const { pending } = result.state;
  return pending && !writtenOf(result).some(({ id }) => id === pending.id) ? [{ id: pending.id }] : [];
};

/** The slice's knowledge of the past, and the plan. */
function cursorOf({ state, finish, next, again, isDeferred = false }: Result) {
  const counting = finish.filter((one) => one.state !== 'invalidated');
  const last = counting.reduce<Notification | null>(
    (newest, one) => (newest && isNewer(newest, one) ? newest : one),
    again ?? state.last,
  );
  return {
    userId: state.user,
    surveyId: state.survey,
    ...state.lease,
    isDeferred: Number(isDeferred),
    last: last?.id ?? null,
    againAt: last?.nextFollowUpAt,
    retryAt: last?.retryAt,
    readSnooze: state.last?.snoozedUntil ?? null,
    snoozedUntil: last?.snoozedUntil ?? null,
    counting: counting.map(({ id }) => id),
    ...(state.triggers && {
      triggers: keepTriggers(state.triggers, { revision: state.revision, settled: counting, last }),
    }),
    isFinished: Number(finish.some(({ id }) => id === state.pending?.id)),
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

/** A device that the relay no longer reaches. `readAt` (epoch ms): a device registered since then stays enabled. */
export interface GonePhone {
  device: string;
  readAt: number;
}

/** The statements that disable phones. Plans of users whose zone is that of another phone from now on are made anew. */
export function disableDevices({ db, now }: Pick<Context, 'db' | 'now'>, gone: readonly GonePhone[]) {
  const ids = oneOf(
    devices.id,
    gone.map(({ device }) => device),
  );
  const [, waiting, woken] = wakeSelected({ db, now }, usersOfSwitched(ids));
  return {
    woken,
    waiting,
    disable: db
      .update(devices)
      .set({ enabled: false, updatedAt: now })
      .from(sql`${each(gone)} g`)
      .where(sql`${devices.id} = g.value ->> 'device' and ${devices.seenAt} <= g.value ->> 'readAt'`),
  };
}
