import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { created, requestOf } from '../support/people.ts';
import type { Mutant } from '../support/planted-fault.ts';
import { insertPast, type Statement } from '../support/reminder-rows.ts';
import { diary, newStudy, type Study } from '../support/studies.ts';
import { newTarget, type Target } from './target.ts';

const megabyte = 1_000_000;

/** The memory that a page, and the process beside it, may take. The long export has 38 MB. */
const flat = 12 * megabyte;

let target: Target;
let short: Study;
let long: Study;
const shortLength = 300;
const longLength = 6_000;
const [fewPeople, manyPeople] = [20, 1_000];
const year = Array.from({ length: 366 }, (_, day) =>
  new Date(1_800_000_000_000 + day * 86_400_000).toISOString().slice(0, 10),
);

/** Entries of about 6,500 characters, past the front door. */
async function seedEntries({ id, owner }: Study, count: number) {
  const { client, close } = await openSqlite(target.database);
  await client.execute({
    sql: `with recursive n(position) as (
        select coalesce(max(position), 0) + 1 from activity where investigation_id = ?
        union all select position + 1 from n limit ?)
      insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, details, hash)
      select ?, position, lower(hex(randomblob(16))), 1800000000000 + position, ?, 'study.changed', '[]', '[]',
        json_object('after', json_object('name', hex(randomblob(3000)))), lower(hex(randomblob(32))) from n`,
    values: [id, count, id, owner.id],
  });
  close();
}

/** A year of reminders, one a day, of so many people of a study, past the front door; each has a response. */
async function seedYear({ id, survey }: Study, people: number) {
  const { client, close } = await openSqlite(target.database);
  const execute = (sql: string, values: Statement['values']) => client.execute({ sql, values });
  const someone = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?),
    people(user) as (select printf('%s%08x', ?, i) from n)`;
  const start = id.slice(0, 24);
  await execute(
    `${someone} insert into user (id, issuer, subject, name, time_zone, created_at)
      select user, 'bulk', user, 'Member', 'UTC', 0 from people`,
    [people, start],
  );
  await execute(
    `${someone} insert into member (investigation_id, user_id, role, created_at)
      select ?, user, 'responder', 0 from people`,
    [people, start, id],
  );
  const { rows } = await execute(
    "select user_id from member where investigation_id = ? and role = 'responder'",
    [id],
  );
  const past = rows
    .values()
    .flatMap(([user]) =>
      year.map((on, counter) => ({ user: String(user), survey, on, counter, state: 'sent' as const })),
    );
  for (const { sql, values } of insertPast(past)) await execute(sql, values);
  await execute(
    `insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, notification, revised_at,
        created_at, revision_id)
      select lower(hex(randomblob(16))), ?, ?, '', user_id, json_object('q1', 'well', 'q2', hex(randomblob(20))), '{}', id, due_at,
        due_at, '' from notification where survey_id = ?`,
    [id, survey, survey],
  );
  close();
}

/** Reads a whole export; after its first piece the reader stops until `pause` is over. */
async function readExport(
  { id, owner }: Study,
  pause = async () => {},
  { list = 'activity', accept = 'application/x-ndjson' } = {},
) {
  const { headers, ...init } = requestOf({ token: owner.token });
  const answer = await fetch(`${target.url}/investigation/${id}/${list}`, {
    ...init,
    headers: { ...(headers as Record<string, string>), accept },
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  let [bytes, entries] = [0, 0];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (bytes === 0) await pause();
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) entries++;
  }
  return { bytes, entries };
}

/** A process of its own, and how much memory was in use while it did something. */
async function start(fault?: Mutant) {
  const probe = ['--expose-gc', '--import', './test/crash/memory-probe.ts'];
  const planted = fault ? ['--import', './test/crash/planted-fault.ts'] : [];
  const running = target.spawn(Date.now(), {
    args: [...probe, ...planted],
    variables: fault ? { FAULT: JSON.stringify(fault) } : {},
  });
  await target.ready(running);
  let round = 0;
  const used = async () => {
    process.kill(running.pid, 'SIGUSR2');
    const found = await running.line(
      new RegExp(`"memory","round":${++round},"live":(\\d+),"resident":(\\d+)`),
    );
    return { live: Number(found[1]), resident: Number(found[2]) };
  };
  const during = async <T>(work: () => Promise<T>) => {
    await used();
    return { ...(await work()), ...(await used()) };
  };
  return { during, end: () => running.end('SIGKILL') };
}

/** The export of a long log, by a reader who stops in the middle, beside that of a short one. */
async function compare(fault?: Mutant) {
  const { during, end } = await start(fault);
  try {
    // A service that reads on has the rest in memory long before these 40 MB. A person has one export at a time.
    const pause = async () => {
      for (let n = 0; n < 20; n++) await readExport({ ...short, owner: short.editor });
    };
    const few = await during(() => readExport(short, pause));
    const many = await during(() => readExport(long, pause));
    console.log(`${fault?.fault ?? 'as it is'}: ${JSON.stringify({ few, many })}`);
    expect(few.entries).toBeGreaterThanOrEqual(shortLength);
    expect(many.entries).toBeGreaterThanOrEqual(longLength);
    expect(many.bytes).toBeGreaterThan(longLength * 6_000);
    return many.live - few.live;
  } finally {
    await end();
  }
}

beforeAll(async () => {
  target = await newTarget('node');
  const running = target.spawn(Date.now());
  await target.ready(running);
  short = await newStudy(newWorld(target));
  const { identifier } = created(await short.owner.post('/investigation', { name: 'A long study' }));
  const survey = { name: 'Diary', items: diary };
  const { identifier: ofLong } = created(
    await short.owner.post(`/investigation/${identifier}/survey`, survey),
  );
  long = { ...short, id: identifier, survey: ofLong };
  await running.end('SIGKILL');
  await seedEntries(short, shortLength);
  await seedEntries(long, longLength);
});
afterAll(() => target.dispose());

test('an export of 38 MB takes no more memory than one of 2 MB', async () => {
  expect(await compare()).toBeLessThan(flat);
});

const faults: Mutant[] = [
  {
    fault: 'collects the whole export before it answers',
    within: 'writePages',
    find: 'let text = format.head;',
    replace: `let text = format.head;
      while (first.more) {
        const more = await first.more();
        first.rows.push(...more.rows);
        first.more = more.more;
      }`,
  },
  {
    fault: 'reads on whether or not the client does',
    within: 'streamRows',
    find: 'highWaterMark: 0',
    replace: 'highWaterMark: Infinity',
  },
].map((fault) => ({ ...fault, file: 'src/http/lists/streaming.ts' }));

test.each(faults)('one that $fault shows', async (fault) => {
  expect(await compare(fault)).toBeGreaterThan(flat);
});

test('a year of reminders of 1,000 people, with answers, takes no more memory than that of 20', async () => {
  await seedYear(short, fewPeople);
  await seedYear(long, manyPeople);
  const { during, end } = await start();
  try {
    const read = (study: Study) => () =>
      readExport(study, undefined, { list: `occurrences?survey=${study.survey}`, accept: 'text/csv' });
    // Statements are prepared, and modules loaded.
    await read(short)();
    const few = await during(read(short));
    const many = await during(read(long));
    console.log(`occurrences: ${JSON.stringify({ few, many })}`);
    // The short study has two other responders.
    expect(few.entries).toBe(1 + (fewPeople + 2) * year.length);
    expect(many.entries).toBe(1 + manyPeople * year.length);
    expect(many.live - few.live).toBeLessThan(flat);
  } finally {
    await end();
  }
});
