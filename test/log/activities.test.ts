import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
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

test('no route changes or removes an entry', async () => {
  const path = `/investigation/${study.id}/activity`;
  for (const at of [path, `${path}/verify`])
    for (const method of ['post', 'patch', 'put'] as const)
      expectProblem(await study.owner[method](at, {}), 'request.method-not-allowed');
  expectProblem(await study.owner.delete(path), 'request.method-not-allowed');
});

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

test.each(['cursor=WyJhIl0', 'action=items.exploded', 'item=A', 'limit=1001'])(
  'a page with %s is refused',
  async (query) => expectProblem(await get(`?${query}`), 'request.invalid', [`?${query.split('=')[0]}`]),
);

describe('the chain', () => {
  test('holds, and tells its head, which is the newest entry', async () => {
    const { activities } = (await get('')).body;
    expect(await verify()).toEqual({ valid: true, entries: activities.length, head: activities[0].hash });
  });

  const at = 7;
  const edit = (set: string, position = at) =>
    run(`update activity set ${set} where investigation_id = ? and position = ?`, study.id, position);
  const remove = (position: number) =>
    run('delete from activity where investigation_id = ? and position = ?', study.id, position);
  const move = (from: number, to: number) => edit(`position = ${to}`, from);
  /** A copy of an entry at another position. */
  const put = (position: number, like: number) =>
    run(
      `insert into activity select investigation_id, ${position}, 'x', at, actor_id, action, cases, responses, reason, details, null, hash
        from activity where investigation_id = ? and position = ?`,
      study.id,
      like,
    );
  test.each<[string, number, () => Promise<unknown>]>([
    ['an edited reason', at, () => edit("reason = 'never mind'")],
    ['an edited actor', at, () => edit(`actor_id = '${study.other.id}'`)],
    ['an edited action', at, () => edit("action = 'items.locked' || action")],
    ['an edited time', at, () => edit('at = at + 1')],
    ['an edited list', at, () => edit("cases = '[]'")],
    ['an edited identifier', at, () => edit("id = 'x'")],
    ['an edited hash', at, () => edit("hash = '0'")],
    ['details added', at, () => edit("details = '{}'")],
    ['a list that is no JSON any more', at, () => edit("responses = '['")],
    ['the newest one edited', entries, () => edit("reason = 'x'", entries)],
    ['one removed', at, () => remove(at)],
    ['the first removed', 1, () => remove(1)],
    [
      'one removed and the rest moved up',
      at,
      async () => {
        await remove(at);
        for (let position = at + 1; position <= entries; position++) await move(position, position - 1);
      },
    ],
    [
      'two exchanged',
      at,
      async () => {
        await move(at, -1);
        await move(at + 1, at);
        await move(-1, at + 1);
      },
    ],
    ['one put in before the first', 1, () => put(0, 1)],
    ['one put in at the end', entries + 1, () => put(entries + 1, entries)],
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
});
