import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appendActivity, chainEntry, headOf, selectHead } from '../../src/log/activities.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';

let study: Study;
let nights: string[];
let answered: string;
let elsewhere: Study;

/** Ten entries of items, after the three of the members. */
const entries = 13;

beforeAll(async () => {
  study = await sleepStudy();
  nights = [await newCase(study, study.owner), await newCase(study, study.owner)];
  answered = await newResponse(study, study.responder, nights[0] ?? '');
  for (let n = 0; n < 5; n++) {
    await lock(study.owner, study, { cases: nights, ...(n % 2 && { responses: [answered] }) });
    await lock(study.editor, study, { cases: nights, responses: [answered] }, 'unlocked');
  }
  elsewhere = await sleepStudy();
  await env.DB.exec('create table activity_copy as select * from activity');
});

afterEach(() =>
  env.DB.batch([
    env.DB.prepare('delete from activity'),
    env.DB.prepare('insert into activity select * from activity_copy'),
  ]),
);

const get = (path: string, by = study.owner) => by.get(`/investigation/${study.id}/activity${path}`);
const verify = async () => (await get('/verify')).body;
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

test('entries come newest first, in pages, with an action or an item when asked', async () => {
  const all = (await get('')).body;
  expect(all.investigation).toBe(`investigation/${study.id}`);
  expect(all).not.toHaveProperty('next');
  const { activities } = all;
  expect(activities[0]).toEqual({
    identifier: expect.stringMatching(/^[0-9a-f]{32}$/),
    investigation: `investigation/${study.id}`,
    position: entries,
    at: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
    actor: study.editor.id,
    actorName: 'Bruno',
    action: 'items.unlocked',
    cases: nights,
    responses: [],
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(activities.slice(0, 10).map(({ action }: { action: string }) => action)).toEqual(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? 'items.locked' : 'items.unlocked')),
  );

  const walked = [];
  for (let path: string | undefined = '?limit=3'; path; ) {
    const { body, headers } = await get(path);
    expect(body.activities.length).toBeLessThanOrEqual(3);
    walked.push(...body.activities);
    path = body.next && `?limit=3&cursor=${body.next}`;
    if (path) expect(headers.get('link')).toBe(`</investigation/${study.id}/activity${path}>; rel="next"`);
    // An entry that comes meanwhile does not move the pages.
    if (walked.length === 6) await lock(study.owner, study, { responses: [answered] });
  }
  await lock(study.owner, study, { responses: [answered] }, 'unlocked');
  expect(walked).toEqual(activities);

  const locks = (await get('?action=items.locked&limit=4')).body;
  expect(locks.activities).toHaveLength(4);
  expect(locks.next).toBeDefined();
  const ofResponse = (await get(`?item=${answered}`)).body.activities;
  expect(ofResponse).toHaveLength(6);
  for (const { responses } of ofResponse) expect(responses).toEqual([answered]);
  expect((await get(`?item=${nights[1]}&action=items.unlocked`)).body.activities).toHaveLength(5);
  expect((await get(`?item=${'0'.repeat(32)}`)).body.activities).toEqual([]);
});

test('owners and editors read it, responders may not, others do not find it', async () => {
  for (const path of ['', '/verify']) {
    expect((await get(path, study.editor)).status).toBe(200);
    expectProblem(await get(path, study.responder), 'action.forbidden');
    expectProblem(await get(path, elsewhere.owner), 'resource.not-found');
  }
});

test('no route changes or removes an entry', async () => {
  await changingNothing(async () => {
    for (const path of ['', '/verify'])
      for (const method of ['post', 'patch', 'put'] as const)
        expectProblem(
          await study.owner[method](`/investigation/${study.id}/activity${path}`, {}),
          'request.method-not-allowed',
        );
    const removed = await study.owner.delete(`/investigation/${study.id}/activity`);
    expectProblem(removed, 'request.method-not-allowed');
  });
});

test('a page with a bad cursor, action or item is refused', async () => {
  for (const query of [
    'cursor=WyJhIl0',
    'cursor=x',
    'action=items.exploded',
    'item=A',
    'limit=0',
    'limit=1001',
    'page=2',
  ])
    expectProblem(await get(`?${query}`), 'request.invalid', [`?${query.split('=')[0]}`]);
});

describe('the chain', () => {
  test('holds, and tells its head, which is the newest entry', async () => {
    const { activities } = (await get('')).body;
    expect(await verify()).toEqual({ valid: true, entries: activities.length, head: activities[0].hash });
  });

  const at = 7;
  const here = () => [study.id, at];
  test.each<[string, number, () => Promise<unknown>]>([
    [
      'an edited reason',
      at,
      () =>
        run(
          "update activity set reason = 'never mind' where investigation_id = ? and position = ?",
          ...here(),
        ),
    ],
    [
      'an edited actor',
      at,
      () =>
        run(
          'update activity set actor_id = ?3 where investigation_id = ?1 and position = ?2',
          ...here(),
          study.other.id,
        ),
    ],
    [
      'an edited action',
      at,
      () =>
        run(
          "update activity set action = 'items.locked' || action where investigation_id = ? and position = ?",
          ...here(),
        ),
    ],
    [
      'an edited time',
      at,
      () => run('update activity set at = at + 1 where investigation_id = ? and position = ?', ...here()),
    ],
    [
      'an edited list',
      at,
      () => run("update activity set cases = '[]' where investigation_id = ? and position = ?", ...here()),
    ],
    [
      'an edited identifier',
      at,
      () => run("update activity set id = 'x' where investigation_id = ? and position = ?", ...here()),
    ],
    [
      'an edited hash',
      at,
      () => run("update activity set hash = '0' where investigation_id = ? and position = ?", ...here()),
    ],
    [
      'details added',
      at,
      () => run("update activity set details = '{}' where investigation_id = ? and position = ?", ...here()),
    ],
    [
      'a list that is no JSON any more',
      at,
      () => run("update activity set responses = '[' where investigation_id = ? and position = ?", ...here()),
    ],
    [
      'the newest one edited',
      13,
      () => run("update activity set reason = 'x' where investigation_id = ? and position = 13", study.id),
    ],
    [
      'one removed',
      at,
      () => run('delete from activity where investigation_id = ? and position = ?', ...here()),
    ],
    [
      'the first removed',
      1,
      () => run('delete from activity where investigation_id = ? and position = 1', study.id),
    ],
    [
      'one removed and the rest moved up',
      at,
      async () => {
        await run('delete from activity where investigation_id = ? and position = ?', ...here());
        for (let position = at + 1; position <= 13; position++)
          await run(
            'update activity set position = position - 1 where investigation_id = ? and position = ?',
            study.id,
            position,
          );
      },
    ],
    [
      'two exchanged',
      at,
      () =>
        env.DB.batch(
          [
            [at, -1],
            [at + 1, at],
            [-1, at + 1],
          ].map(([from, to]) =>
            env.DB.prepare(
              'update activity set position = ?3 where investigation_id = ?1 and position = ?2',
            ).bind(study.id, from, to),
          ),
        ),
    ],
    [
      'one put in before the first',
      1,
      () =>
        run(
          `insert into activity select investigation_id, 0, 'x', at, actor_id, action, cases, responses, reason, details, null, hash
        from activity where investigation_id = ? and position = 1`,
          study.id,
        ),
    ],
    [
      'one put in at the end',
      14,
      () =>
        run(
          `insert into activity select investigation_id, 14, 'x', at, actor_id, action, cases, responses, reason, details, null, hash
        from activity where investigation_id = ? and position = 13`,
          study.id,
        ),
    ],
    [
      'all moved to another study',
      1,
      async () => {
        await run('delete from activity where investigation_id = ?', study.id);
        await run(
          'update activity set investigation_id = ?1 where investigation_id = ?2',
          study.id,
          elsewhere.id,
        );
      },
    ],
  ])('breaks at %s', async (_, position, tamper) => {
    expect(await verify()).toMatchObject({ valid: true, entries });
    await tamper();
    expect(await verify()).toEqual({ valid: false, entries: position - 1, brokenAt: position });
  });

  test('alone cannot show that its end was cut off: the head that was noted before does', async () => {
    const before = await verify();
    await run('delete from activity where investigation_id = ? and position > 11', study.id);
    const after = await verify();
    expect(after).toMatchObject({ valid: true, entries: 11 });
    expect(after.head).not.toBe(before.head);
  });

  test('goes on over more than one page of the walk', async () => {
    const db = openD1(env.DB);
    let head = headOf(await selectHead(db, study.id));
    const rows = [];
    for (let n = 0; n < 500; n++) {
      const entry = { investigation: study.id, actor: study.owner.id, action: 'study.changed' as const };
      const row = await chainEntry(head, entry, { now: Date.now(), limits: { activities: Infinity } });
      rows.push(appendActivity(db, row));
      head = row;
    }
    const [first, ...rest] = rows;
    if (first) await db.batch([first, ...rest]);
    expect(await verify()).toEqual({ valid: true, entries: entries + 500, head: head.hash });
    await run("update activity set reason = 'x' where investigation_id = ? and position = 407", study.id);
    expect(await verify()).toMatchObject({ valid: false, brokenAt: 407 });
  });
});
