import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { withEach } from '../db/json.ts';
import { namedBatch } from '../db/named-batch.ts';
import { query } from '../db/query.ts';
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

/** A query about rows; its text reads them as `p.value`. */
function about<Row = never>(textOf: (rows: string) => string) {
  const texts = withEach((table) => textOf(`${table} p`));
  return (db: Database, given: readonly object[], parameters: Record<string, number> = {}) => {
    const { text, rows } = texts(given);
    return query<Row>(db, text, { ...parameters, rows });
  };
}

const text = (name: string) => `p.value ->> '${name}'`;

/** JSON null arrives as a text. */
const pushes = `nullif(p.value -> 'pushes', 'null')`;

const isTakenBack =
  "excluded.state = 'invalidated' and coalesce(notification.answered_at >= notification.due_at, 0)";

/** A push that is to be tried again goes with its person, who may have deleted their account meanwhile. */
const isSettled = `${text('state')} <> 'sending'`;
const hasCursor = `exists (select 1 from scheduled_notification c where c.user_id = ${text('userId')} and c.survey_id = ${text('surveyId')})`;

const upsertNotifications = about(
  (
    rows,
  ) => `insert into notification (user_id, due_at, id, survey_id, revision, occurrence, counter, time_zone, settled_at,
    state, reason, pushes, answered_at)
  select ${stored.map(text).join(', ')}, ${text('state')}, ${text('reason')}, ${pushes},
    ${text('answeredAt')}
  from ${rows} where ${isSettled} or ${hasCursor} on conflict (id) do update set counter = excluded.counter, time_zone = excluded.time_zone, settled_at = excluded.settled_at, pushes = excluded.pushes,
    state = iif(${isTakenBack}, 'skipped', excluded.state), reason = iif(${isTakenBack}, 'answered', excluded.reason),
    answered_at = coalesce(notification.answered_at, excluded.answered_at)
  where notification.state in ('sending', 'invalidated')
    or (notification.state <> 'sent' and excluded.state = 'sent')`,
);

/** Without a claim of their own: such a one may have been taken back before, at another time. */
const mayHaveBeen = (one: object) =>
  'state' in one && (one.state === 'skipped' || one.state === 'invalidated');

const moveTakenBack = about(
  (
    rows,
  ) => `update notification set due_at = ${text('dueAt')}, revision = ${text('revision')}, occurrence = ${text('key')}
    from ${rows} where id = ${text('id')} and state = 'invalidated'
      and (due_at, revision, occurrence) is not (${text('dueAt')}, ${text('revision')}, ${text('key')})`,
);

const updatePushes = about(
  (rows) => `update notification set pushes = ${pushes} from ${rows}
    where (user_id, due_at, id) = (${text('userId')}, ${text('dueAt')}, ${text('id')})`,
);

const deleteLeft = about(
  (rows) => `delete from notification where state = 'sending' and id in (select ${text('id')} from ${rows})`,
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
const unanswered = `coalesce(json_array_length(p.value -> 'counting') - 1 - (select max(a.key)
      from json_each(p.value -> 'counting') a cross join notification n on n.id = a.value
      where n.answered_at is not null or (n.state = 'skipped' and n.reason = 'answered')),
    json_array_length(p.value -> 'counting') + c.unanswered)`;

const isStill = `c.version = ${text('version')}`;

const moveCursors = about<Look>(
  (rows) => `update scheduled_notification as c set claimed_until = null,
    claims = iif(${text('isLeft')}, c.claims - 1, 0), last = ${text('last')},
    again_at = iif(c.snoozed_until is ${text('readSnooze')}, ${text('againAt')}, c.again_at), retry_at = ${text('retryAt')},
    snoozed_until = iif(c.snoozed_until is ${text('readSnooze')}, ${text('snoozedUntil')}, c.snoozed_until),
    unanswered = ${unanswered},
    ${Object.entries(plan)
      .map(
        ([column, name]) =>
          `${column} = iif(${isStill}, ${text(name)}, iif(${text('isSettled')}, null, c.${column}))`,
      )
      .join(', ')},
    triggers = iif(${isStill}, ${text('triggers')}, null), next_at = iif(${isStill}, ${text('nextAt')}, :now)
  from ${rows} where (c.user_id, c.survey_id) = (${text('userId')}, ${text('surveyId')})
    and c.claimed_until = ${text('until')}
  returning user_id as user, next_at as at`,
);
