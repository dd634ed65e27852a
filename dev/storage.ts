import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/platform/server/migrations.ts';
import { openSqlite } from '../src/platform/server/sqlite.ts';

/*
 * `npm run storage`: bytes that a settled notification, a response and a revision take in a SQLite file, indexes included,
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

/** One phone, with the identifiers that SNS gives. */
const deliveries = `json_array(json_object('device', (select id from device where user_id = p.id), 'platform', 'android',
  'at', '2027-01-01T20:30:00.000Z', 'messageId', '8d3d7a0e-6f0c-5a34-9d1b-' || substr(lower(hex(randomblob(6))), 1, 12)))`;

/** Ten answers of a few words. */
const answers = `(select json_group_object('q' || value, 'about five words of text') from json_each('[1,2,3,4,5,6,7,8,9,10]'))`;

const study = '0'.repeat(31);
const setUp = [
  `insert into investigation (id, name, time_zone, starts_on, created_at, active_since)
    values ('${study}1', 'Sleep', 'Europe/Paris', '2027-01-01', ${start}, ${start})`,
  `insert into survey (id, investigation_id, name, items, reminders_since, created_at)
    values ('${study}2', '${study}1', 'Diary', '[]', ${start}, ${start})`,
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${people - 1})
    insert into user (id, name, created_at) select printf('%04d', i) || substr(lower(hex(randomblob(16))), 1, 28), 'Somebody', 0 from n`,
  `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
    select lower(hex(randomblob(16))), id, 'android', id, id, 'Europe/Paris', 0, 0, 0 from user`,
];

const kinds = {
  'settled notification': `${each} insert into scheduled_notification
    (user_id, survey_id, revision, occurs_on, counter, due_at, look_at, time_zone, settled_at, state, deliveries, plan_basis)
    select p.id, '${study}2', 0, date('2027-01-01', d.i || ' days'), d.i, ${at}, ${at}, 'Europe/Paris', ${at}, 'sent',
      ${deliveries}, '1 1 2027a' from ${from}`,
  'nudge of one': `update scheduled_notification set follow_ups = json_array(json_object('kind', 'nudge',
    'dueAt', '2027-01-01T21:00:00.000Z', 'at', '2027-01-01T21:00:01.250Z', 'state', 'sent', 'attempts', 1,
    'deliveries', json(deliveries)))`,
  'nudge left out': `update scheduled_notification set follow_ups = json_insert(follow_ups, '$[#]', json_object(
    'kind', 'nudge', 'dueAt', '2027-01-01T21:30:00.000Z', 'at', '2027-01-01T21:30:01.250Z', 'state', 'skipped',
    'reason', 'answered'))`,
  response: `${each} insert into response
    (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
    select ${identifier(at)}, '${study}1', '${study}2', p.id, p.id, ${answers}, '{}', ${at}, ${at}, ${identifier(at)} from ${from}`,
  'first revision': `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
    select id, 1, revision_id, responder_id, created_at, items, reasons from response`,
  'edit of one answer': `insert into response_revision (response_id, number, id, author_id, at, items, reasons, base, weight, size)
    select id, 2, ${identifier('created_at')}, responder_id, created_at, '{"q1":"about five words of text"}', '{}', 1, 34, 360 from response`,
};

const folder = mkdtempSync(join(tmpdir(), 'fieldbell-storage-'));
const { client, close } = await openSqlite(join(folder, 'study.db'));

async function fileBytes() {
  await client.execute('vacuum');
  const [row] = await client.query(
    'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  );
  return Number(row?.bytes);
}

try {
  await migrate(client);
  for (const statement of setUp) await client.execute(statement);
  const rows = people * days;
  const bytes: Record<string, number> = {};
  let before = await fileBytes();
  for (const [kind, statement] of Object.entries(kinds)) {
    await client.execute(statement);
    const after = await fileBytes();
    bytes[kind] = Math.round((after - before) / rows);
    before = after;
  }
  console.table(Object.fromEntries(Object.entries(bytes).map(([kind, size]) => [kind, { bytes: size }])));
  const daily = (bytes['settled notification'] ?? 0) + (bytes.response ?? 0) + (bytes['first revision'] ?? 0);
  const years = Math.floor(d1Bytes / (daily * 365));
  console.log(
    `A reminder and an answer a day: ${daily * 365} bytes a year, ${years} participant-years in 10 GB.`,
  );
} finally {
  close();
  rmSync(folder, { recursive: true });
}
