import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notification } from '../src/model/reminders/columns.ts';
import { storedFollowUp } from '../src/model/reminders/deliveries.ts';
import { noChanges, writeChanges } from '../src/model/reminders/record.ts';
import { migrate } from '../src/platform/server/migrations.ts';
import { openSqlite } from '../src/platform/server/sqlite.ts';

/*
 * `npm run storage`: bytes that a settled notification and what follows it, a response, a revision and an entry of the log take in a SQLite file, indexes included,
 * and how many participant-years fit into the 10 GB of a D1 database.
 */

const people = 100;
const days = 365;
const d1Bytes = 10_000_000_000;

/** Identifiers as the service makes them: in the order of time, the rest at random. */
const identifier = (at: string) =>
  `printf('%012x', ${at}) || '7' || substr(lower(hex(randomblob(16))), 1, 19)`;
const start = Date.UTC(2027, 0, 1);
const at = `${start} + d.i * 86400000 + p.n * 1000`;
const each = `with recursive days(i) as (select 0 union all select i + 1 from days where i < ${days - 1})`;
const from = `(select id, cast(substr(id, 1, 4) as integer) as n from user) p, days d`;

/** Ten answers of a few words. */
const answers = `(select json_group_object('q' || value, 'about five words of text') from json_each('[1,2,3,4,5,6,7,8,9,10]'))`;

const study = '0'.repeat(31);
/** To one survey nobody reacts, to the other everybody does, before the next reminder. */
const surveys = { ignored: `${study}2`, answered: `${study}3` };
const setUp = [
  `insert into investigation (id, name, time_zone, starts_on, created_at, active_since)
    values ('${study}1', 'Sleep', 'Europe/Paris', '2027-01-01', ${start}, ${start})`,
  ...Object.values(surveys).map(
    (survey) => `insert into survey (id, investigation_id, name, items, reminders_since, created_at)
      values ('${survey}', '${study}1', 'Diary', '[]', ${start}, ${start})`,
  ),
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${people - 1})
    insert into user (id, name, created_at) select printf('%04d', i) || substr(lower(hex(randomblob(16))), 1, 28), 'Somebody', 0 from n`,
  `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
    select lower(hex(randomblob(16))), id, 'android', id, id, 'Europe/Paris', 0, 0, 0 from user`,
];

interface Sent {
  user: string;
  device: string;
  survey: string;
  n: number;
}

/** What a sent reminder is when its delivery is recorded, to one phone, with the identifiers that SNS gives. */
function sentTo({ user, device, n, survey }: Sent, day: number): Notification {
  const dueAt = start + day * 86_400_000;
  const settledAt = dueAt + n * 10;
  const on = new Date(dueAt).toISOString().slice(0, 10);
  const next = {
    counter: day,
    dueAt,
    nextAttemptAt: dueAt,
    timeZone: 'Europe/Paris',
    plannedFrom: '12/3/2026f',
  };
  const delivery = {
    device,
    platform: 'android',
    at: new Date(settledAt).toISOString(),
    messageId: randomUUID(),
  };
  return {
    ...{ userId: user, surveyId: survey, revision: 1, key: on, ...next, attempts: 1, deliveries: [delivery] },
    ...{ settledAt, state: 'sent', reason: null, followUps: null, nextFollowUpAt: null, snoozedUntil: null },
    ...(survey === surveys.answered
      ? { shownAt: settledAt + 5, openedAt: settledAt + 6, answeredAt: settledAt + 7 }
      : { shownAt: null, openedAt: null, answeredAt: null }),
    ...{ dismissedAt: null, pushes: null, tally: null, apart: null },
  };
}

/** Written day by day as the service writes them, so that all that it stores for one counts. */
async function writeNotifications(survey: string) {
  const phones = await client.query(
    'select u.id as user, d.id as device from user u join device d on d.user_id = u.id',
  );
  for (let day = 0; day < days; day++) {
    const finish = phones.map(({ user, device }, n) =>
      sentTo({ user: String(user), device: String(device), survey, n }, day),
    );
    await writeChanges({ db, now: start + days * 86_400_000 }, [{ ...noChanges(), finish }]);
  }
}

const nudge = JSON.stringify([
  storedFollowUp({
    ...{ kind: 'nudge', dueAt: '2027-01-01T21:00:00.000Z', at: '2027-01-01T21:00:00.250Z', state: 'sent' },
    attempts: 1,
    deliveries: [
      {
        ...{ device: '7'.repeat(32), platform: 'android', at: '2027-01-01T21:00:00.250Z' },
        messageId: randomUUID(),
      },
    ],
  }),
]);

const kinds = {
  'what is told after the next': `update scheduled_notification
    set shown_at = settled_at + 5, opened_at = settled_at + 6, answered_at = settled_at + 7
    where survey_id = '${surveys.ignored}'`,
  'follow-up': `update scheduled_notification set follow_ups = '${nudge}' where survey_id = '${surveys.ignored}'`,
  response: `${each} insert into response
    (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
    select ${identifier(at)}, '${study}1', '${study}2', p.id, p.id, ${answers}, '{}', ${at}, ${at}, ${identifier(at)} from ${from}`,
  'first revision': `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
    select id, 1, revision_id, responder_id, created_at, items, reasons from response`,
  'edit of one answer': `insert into response_revision (response_id, number, id, author_id, at, items, reasons, base, weight, size)
    select id, 2, ${identifier('created_at')}, responder_id, created_at, '{"q1":"about five words of text"}', '{}', 1, 34, 360 from response`,
  'activity entry of a lock': `insert into activity
    (investigation_id, position, id, at, actor_id, action, cases, responses, hash, formula)
    select '${study}1', row_number() over (order by id), ${identifier('created_at')}, created_at, responder_id, 'items.locked',
      '[]', json_array(id), lower(hex(randomblob(32))), 1 from response`,
};

const folder = mkdtempSync(join(tmpdir(), 'fieldbell-storage-'));
const { client, db, close } = await openSqlite(join(folder, 'study.db'));

async function fileBytes() {
  await client.execute('vacuum');
  const [row] = await client.query(
    'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  );
  return Number(row?.bytes);
}

/** What SQLite stores of each column, on average; a row has a byte more for each, and the rest is its page's. */
async function columnBytes() {
  const columns = await client.query("select name from pragma_table_info('scheduled_notification')");
  const bytesOf = ({ name }: Record<string, unknown>) => `round(avg(case
    when ${name} is null or ${name} in (0, 1) then 0 when typeof(${name}) = 'text' then octet_length(${name})
    when ${name} < 128 then 1 when ${name} < 32768 then 2 when ${name} < 2147483648 then 4 else 6 end), 1) as ${name}`;
  const [row] = await client.query(`select ${columns.map(bytesOf).join(', ')} from scheduled_notification`);
  return row;
}

try {
  await migrate(client);
  for (const statement of setUp) await client.execute(statement);
  const rows = people * days;
  const bytes: Record<string, number> = {};
  let before = await fileBytes();
  const writing = [
    { kind: 'settled notification', write: () => writeNotifications(surveys.ignored) },
    { kind: 'one that is shown, opened and answered', write: () => writeNotifications(surveys.answered) },
    ...Object.entries(kinds).map(([kind, sql]) => ({ kind, write: () => client.execute(sql) })),
  ];
  for (const { kind, write } of writing) {
    await write();
    if (kind === 'settled notification') console.table(await columnBytes());
    const after = await fileBytes();
    bytes[kind] = Math.round((after - before) / rows);
    before = after;
  }
  console.table(Object.fromEntries(Object.entries(bytes).map(([kind, size]) => [kind, { bytes: size }])));
  const sum = (...of: string[]) => of.reduce((total, kind) => total + (bytes[kind] ?? 0), 0);
  for (const [what, daily] of [
    [
      'A reminder and an answer a day',
      sum('one that is shown, opened and answered', 'response', 'first revision'),
    ],
    ['A reminder a day', sum('settled notification')],
  ] as const)
    console.log(
      `${what}: ${daily * 365} bytes a year, ${Math.floor(d1Bytes / (daily * 365))} participant-years in 10 GB.`,
    );
} finally {
  close();
  rmSync(folder, { recursive: true });
}
