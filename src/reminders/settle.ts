import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { queryEach } from '../db/json.ts';
import { namedBatch } from '../db/named-batch.ts';
import { type Look, selectLooks } from './claim.ts';
import { disableDevices } from './gone-phones.ts';
import { noteLateAnswers } from './late-answers.ts';
import { stored, type TurnRecord } from './turn-record.ts';

/**
 * Writes the record of a turn in one batch. The notifications, and what is known of the past, stand in any case; a cursor
 * moves only where nobody has changed what its plan depends on since the claim, and is due at once otherwise. Returns when
 * to look next: at these users, or at each cursor.
 */
export async function settle(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { notifications, late, again, left, cursors, gone }: TurnRecord,
  users?: readonly string[],
): Promise<Look[]> {
  const some = <S>(rows: object[], statement: (rows: object[]) => S) =>
    rows.length > 0 ? statement(rows) : undefined;
  const settled = await namedBatch(db, {
    moved: some(notifications.filter(mayHaveBeen), (rows) => moveTakenBack(db, rows)),
    notifications: some(notifications, (rows) => upsertNotifications(db, rows)),
    answers: some(late, (rows) => noteLateAnswers(db, rows)),
    again: some(again, (rows) => updatePushes(db, rows)),
    left: some(left, (rows) => deleteLeft(db, rows)),
    cursors: some(cursors, (rows) => moveCursors(db, rows, { now })),
    ...(gone.length > 0 && disableDevices({ db, now }, gone)),
    looks: users && selectLooks(db, users),
  });
  return settled.looks ?? settled.cursors ?? [];
}

/** In SQL: a value of a row. */
const text = (name: string) => sql.raw(`p.value ->> '${name}'`);

/** JSON null arrives as a text. */
const pushes = sql`nullif(p.value -> 'pushes', 'null')`;

const isTakenBack = sql`excluded.state = 'invalidated' and coalesce(notification.answered_at >= notification.due_at, 0)`;

/** A push that is to be tried again goes with its person, who may have deleted their account meanwhile. */
const isSettled = sql`${text('state')} <> 'sending'`;
const hasCursor = sql`exists (select 1 from scheduled_notification c where c.user_id = ${text('userId')} and c.survey_id = ${text('surveyId')})`;

const upsertNotifications = queryEach(
  (
    rows,
  ) => sql`insert into notification (user_id, due_at, id, survey_id, revision, occurrence, counter, time_zone, settled_at,
    state, reason, pushes, answered_at)
  select ${sql.join(stored.map(text), sql`, `)}, ${text('state')}, ${text('reason')}, ${pushes},
    ${text('answeredAt')}
  from ${rows} p where ${isSettled} or ${hasCursor} on conflict (id) do update set counter = excluded.counter, time_zone = excluded.time_zone, settled_at = excluded.settled_at, pushes = excluded.pushes,
    state = iif(${isTakenBack}, 'skipped', excluded.state), reason = iif(${isTakenBack}, 'answered', excluded.reason),
    answered_at = coalesce(notification.answered_at, excluded.answered_at)
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

const deleteLeft = queryEach(
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
  const stays = sql`iif(${text('isSettled')}, null, c.${sql.raw(column)})`;
  return sql`${sql.raw(column)} = iif(${isStill}, ${text(name)}, ${stays})`;
});

const moveCursors = queryEach<Look>(
  (rows) => sql`update scheduled_notification as c set claimed_until = null,
    claims = iif(${text('isLeft')}, c.claims - 1, 0), last = ${text('last')},
    again_at = iif(c.snoozed_until is ${text('readSnooze')}, ${text('againAt')}, c.again_at), retry_at = ${text('retryAt')},
    snoozed_until = iif(c.snoozed_until is ${text('readSnooze')}, ${text('snoozedUntil')}, c.snoozed_until),
    unanswered = ${unanswered},
    ${sql.join(planned, sql`, `)},
    triggers = iif(${isStill}, ${text('triggers')}, null), next_at = iif(${isStill}, ${text('nextAt')}, :now)
  from ${rows} p where (c.user_id, c.survey_id) = (${text('userId')}, ${text('surveyId')})
    and c.claimed_until = ${text('until')}
  returning user_id as user, next_at as at`,
);
