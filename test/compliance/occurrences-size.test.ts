import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { csv } from '../support/lists.ts';
import { created } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * A page of occurrences costs its rows, however many people take part and however long their past is, and reads a bounded
 * number of rows whatever its filters leave.
 */

const { measure } = countedApp();
const [few, many] = [15, 2_000];
const studies = new Map<number, Study>();
const last = Date.parse('2027-02-28T00:00:00.000Z');
const dates = 60;
const on = (ago: number) => new Date(last - ago * days).toISOString().slice(0, 10);
/** The most notifications and members that one page looks at. */
const looked = 5_000;

const usersOf = async ({ id }: Study) => {
  const { results } = await env.DB.prepare(
    "select user_id as user from member where investigation_id = ? and role = 'responder' order by user_id",
  )
    .bind(id)
    .all<{ user: string }>();
  return results.map(({ user }) => user);
};

/** So many answers to each notification of the study, written straight into the database. */
async function answerAll({ id, survey }: Study, items: object, each = 1) {
  const text = JSON.stringify(items);
  await env.DB.batch([
    env.DB.prepare(
      `with recursive some(i) as (select 1 union all select i + 1 from some where i < ?4)
        insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, notification,
          revised_at, created_at, revision_id)
        select lower(hex(randomblob(16))), ?1, ?2, '', n.user_id, ?3, '{}', n.id, n.due_at, n.due_at, ''
        from notification n cross join some where n.survey_id = ?2`,
    ).bind(id, survey, text, each),
    env.DB.prepare('update investigation set largest_response = ?2 where id = ?1').bind(id, text.length),
  ]);
}

beforeAll(async () => {
  for (const size of [few, many]) {
    const study = await sleepStudy();
    await addMembers(study, size);
    const users = await usersOf(study);
    const ages = Array.from({ length: dates }, (_, n) => dates - n);
    const { survey } = study;
    await seedPast(
      users
        .slice(0, few)
        .flatMap((user) => ages.map((ago) => ({ user, survey, on: on(ago), state: 'sent' as const }))),
    );
    await seedPast(users.map((user) => ({ user, survey, on: on(0), state: 'sent' as const })));
    await answerAll(study, { q1: 'well' });
    studies.set(size, study);
  }
  // Whether a range of an index is the last one makes a difference of one row.
  await sleepStudy();
});

async function costOf(study: Study, query: string, headers = {}) {
  const { answer, ...cost } = await measure(
    study.owner,
    'GET',
    `/investigation/${study.id}/occurrences${query}`,
    undefined,
    headers,
  );
  expect(answer.status, answer.text).toBe(200);
  return { ...cost, body: answer.body };
}
const sized = (size: number) => studies.get(size) as Study;

test.each([
  ['ten rows', '?limit=10', 10, 4],
  ['ten rows of a survey, with answers', '?limit=10&survey=:survey', 10, 5],
  ['500 rows', '?limit=500', 500, 4],
  // It looks at the days around it, too.
  ['ten rows of a day', `?limit=10&from=${on(0)}&to=${on(0)}`, 10, 16],
])('%s cost the same for 15 and for 2,000 participants', async (_, query, rows, each) => {
  const costs = [];
  for (const size of [few, many]) {
    const study = sized(size);
    costs.push(await costOf(study, query.replace(':survey', study.survey)));
  }
  const [small, large] = costs;
  for (const cost of costs) {
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.body.occurrences).toHaveLength(rows);
    expect(cost.rowsRead).toBeLessThanOrEqual(each * rows + 50);
  }
  expect(Math.abs((large?.rowsRead ?? 0) - (small?.rowsRead ?? 0))).toBeLessThanOrEqual(2);
});

test('a row costs itself, its survey, its response and its member, however long the page', async () => {
  const study = sized(few);
  const [short, long] = [await costOf(study, '?limit=100'), await costOf(study, '?limit=400')];
  expect(long.rowsRead - short.rowsRead).toBeLessThanOrEqual(300 * 4);
});

test('the second page costs as much as the first', async () => {
  const study = sized(many);
  const first = await costOf(study, '?limit=300');
  const second = await costOf(study, `?limit=300&cursor=${first.body.next}`);
  expect(second.body.occurrences).toHaveLength(300);
  expect(Math.abs(second.rowsRead - first.rowsRead)).toBeLessThanOrEqual(20);
});

test('of a reminder with a thousand responses one is read', async () => {
  const study = await sleepStudy();
  await seedPast([{ user: study.responder.id, survey: study.survey, on: on(0), state: 'sent' }]);
  const { rowsRead: without } = await costOf(study, '');
  await answerAll(study, { q1: 'well' }, 1000);
  const { rowsRead, body } = await costOf(study, '');
  expect(body.occurrences[0].response).toMatch(/^[0-9a-f]{32}$/);
  expect(rowsRead - without).toBeLessThanOrEqual(2);
});

test('a page of long answers costs those that fit, and is read twice', async () => {
  const study = await sleepStudy();
  const { responder, survey } = study;
  const notifications = Array.from({ length: dates }, (_, n) => ({
    ...{ user: responder.id, survey, on: on(n), state: 'sent' as const },
  }));
  await seedPast(notifications);
  await answerAll(study, { q1: 'z'.repeat(60_000) });
  const { rowsRead, body } = await costOf(study, `?limit=1000&survey=${survey}`);
  expect(body.occurrences).toHaveLength(16);
  expect(rowsRead).toBeLessThanOrEqual(2 * 5 * dates + 50);
});

/**
 * All pages of a list: the identifiers in order. A page reads its rows twice to find its end, and a member without a
 * notification costs two rows.
 */
async function allPages(study: Study, query: string) {
  const found: string[] = [];
  for (let cursor = '', pages = 1; ; pages++) {
    const { rowsRead, roundTrips, body } = await costOf(study, `?limit=1000&${query}${cursor}`);
    expect(roundTrips).toBe(1);
    expect(rowsRead).toBeLessThanOrEqual(4 * looked + 5 * body.occurrences.length + 50);
    found.push(...body.occurrences.map(({ identifier }: { identifier: string }) => identifier));
    if (!body.next) return { found, pages };
    cursor = `&cursor=${body.next}`;
  }
}

test('a filter that finds little among 9,000 notifications ends in pages, each of a bounded cost', async () => {
  const study = await sleepStudy();
  const { owner, responder, survey } = study;
  const weekly = created(
    await owner.post(`/investigation/${study.id}/survey`, { name: 'Weekly', items: [] }),
  ).identifier;
  await seedPast(
    Array.from({ length: 9_000 }, (_, n) => ({
      ...{ user: responder.id, survey: n % 100 === 7 ? weekly : survey, state: 'sent' as const },
      ...{ on: on(n % 300), slot: Math.floor(n / 300), dueAt: last - n * 60_000 },
    })),
  );
  const all = await allPages(study, '');
  expect(all.pages).toBe(9);
  expect(new Set(all.found).size).toBe(9_000);
  const some = await allPages(study, `survey=${weekly}`);
  expect(some.pages).toBe(2);
  expect(some.found).toHaveLength(90);
  expect(some.found).toEqual(all.found.filter((id) => some.found.includes(id)));
  expect((await allPages(study, 'from=2028-01-01')).found).toEqual([]);
  // A download counts what it will have.
  for (const [query, count] of [
    ['', 9_000],
    [`?survey=${weekly}`, 90],
  ] as const) {
    const { text } = await owner.get(`/investigation/${study.id}/occurrences${query}`, csv);
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + count);
    expect((await readLog(study, owner, '&action=data.exported')).at(-1).details).toMatchObject({ count });
  }
});

test('6,000 participants without a notification are two pages, and the last ones have theirs', async () => {
  const study = await sleepStudy();
  await addMembers(study, 6_000);
  const users = await usersOf(study);
  await seedPast(
    [users[0], users[4_998], users[4_999], users[5_000], users.at(-1)].map((user) => ({
      ...{ user: user as string, survey: study.survey, on: on(0), state: 'sent' as const },
    })),
  );
  const { found, pages } = await allPages(study, '');
  expect(new Set(found).size).toBe(5);
  expect(found).toHaveLength(5);
  expect(pages).toBe(2);
});
