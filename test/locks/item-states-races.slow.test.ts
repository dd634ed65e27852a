import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * The answer of a lock reaches the test later than its write reaches the database, so the database itself notes
 * each write that comes behind a lock, in the order in which it does them.
 */
beforeAll(async () => {
  const note = (what: string, id: string) => `begin insert into violation values ('${what} ' || ${id}); end`;
  await env.DB.batch(
    [
      'create table violation (what text)',
      `create trigger edited after update of items, reasons, revision_id on response
        when old.locked_at is not null ${note('edited', 'old.id')}`,
      `create trigger revised after insert on response_revision
        when (select locked_at from response where id = new.response_id) is not null ${note('revised', 'new.response_id')}`,
      `create trigger answered after insert on response
        when (select locked_at from study_case where id = new.case_id) is not null ${note('answered', 'new.case_id')}`,
      `create trigger relabelled after update of label, hidden, revision_id on study_case
        when old.locked_at is not null ${note('relabelled', 'old.id')}`,
      `create trigger put_away after update of archived_at, deleted_at on response
        when old.locked_at is not null ${note('put away', 'old.id')}`,
      `create trigger put_away_case after update of archived_at, deleted_at on study_case
        when old.locked_at is not null ${note('put away', 'old.id')}`,
    ].map((statement) => env.DB.prepare(statement)),
  );
});

afterEach(async () => {
  expect((await env.DB.prepare('delete from violation returning what').all()).results).toEqual([]);
});

/** How often each status came. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const verify = async ({ id, owner }: Study) => (await owner.get(`/investigation/${id}/activity/verify`)).body;

const entries = async ({ id, owner }: Study, action: string) =>
  (await owner.get(`/investigation/${id}/activity?action=${action}&limit=1000`)).body.activities;

const repeats = 50;
const writers = 50;
/** Responses that one request locks; two edits of each meet one another as well as the lock. */
const locked = 25;

test(`${writers} edits at once against one lock, ${repeats} times: after its answer no revision appears`, async () => {
  const study = await sleepStudy();
  const of = await newCase(study, study.owner);
  const ids = await seedResponses(study, repeats * locked, { of });
  const outcomes = { before: 0, refused: 0 };

  for (let n = 0; n < repeats; n++) {
    const list = ids.slice(locked * n, locked * (n + 1));
    const edit = (k: number) =>
      study.responder.patch(`/response/${list[k % locked]}`, { items: { q2: `edit ${k}` } });
    // The lock starts somewhere among the edits: a little later each time.
    const turn = n % writers;
    const early = Array.from({ length: turn }, (_, k) => edit(k));
    const locking = lock(study.owner, study, { responses: list });
    const late = Array.from({ length: writers - turn }, (_, k) => edit(turn + k));
    const answer = await locking;
    expect(answer.status, answer.text).toBe(204);
    const atLock = await revisionsOf(list);
    const statuses = tally(await Promise.all([...early, ...late]));
    expect(Object.keys(statuses).filter((status) => !['200', '423', '503'].includes(status))).toEqual([]);
    outcomes.before += statuses[200] ?? 0;
    outcomes.refused += statuses[423] ?? 0;
    expect(await revisionsOf(list)).toEqual(atLock);
  }

  // Both sides of the race were met.
  expect(outcomes.before).toBeGreaterThan(repeats);
  expect(outcomes.refused).toBeGreaterThan(repeats);
  expect(await entries(study, 'items.locked')).toHaveLength(repeats);
  expect(await verify(study)).toMatchObject({ valid: true });
});

async function revisionsOf(ids: string[]) {
  const { results } = await env.DB.prepare(
    `select r.id, r.revision_id, r.items, r.locked_at, count(v.id) as revisions, max(v.number) as last
    from response r join response_revision v on v.response_id = r.id
    where r.id in (select value from json_each(?)) group by r.id order by r.id`,
  )
    .bind(JSON.stringify(ids))
    .all();
  expect(results).toHaveLength(ids.length);
  for (const row of results) expect(row.revisions).toBe(row.last);
  return results;
}

test('20 locks of the same items at once: one entry', async () => {
  const study = await sleepStudy();
  const cases = await seedCases(study, 10);
  const answers = await Promise.all(Array.from({ length: 20 }, () => lock(study.owner, study, { cases })));
  expect(tally(answers)).toEqual({ 204: 20 });
  const logged = await entries(study, 'items.locked');
  expect(logged).toHaveLength(1);
  expect(logged[0].cases).toEqual(cases);
});

test('20 locks and unlocks at once: the log tells the state, step by step', async () => {
  const study = await sleepStudy();
  const [of = ''] = await seedCases(study, 1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      lock(n % 2 ? study.owner : study.editor, study, { cases: [of] }, n % 3 ? 'locked' : 'unlocked'),
    ),
  );
  expect(tally(answers)).toEqual({ 204: 20 });
  const actions = (await study.owner.get(`/investigation/${study.id}/activity?item=${of}`)).body.activities
    .map(({ action }: { action: string }) => action)
    .reverse();
  actions.forEach((action: string, n: number) => {
    expect(action).toBe(n % 2 ? 'items.unlocked' : 'items.locked');
  });
  const { lockedAt } = (await study.owner.get(`/case/${of}`)).body;
  expect(lockedAt !== undefined).toBe(actions.at(-1) === 'items.locked');
});

test('writers of every kind never fork the chain', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder, other } = study;
  const cases = await seedCases(study, 12);
  const before = await entries(study, 'items.locked');
  const one = (n: number) => ({ cases: [cases[n] ?? ''] });
  const items = (n: number, status: string) => ({ cases: [{ identifier: cases[n] }], status });
  const path = `/investigation/${study.id}`;
  const answers = await Promise.all([
    ...[0, 1, 2, 3].map((n) => lock(n % 2 ? owner : editor, study, one(n))),
    ...[4, 5, 6, 7].map((n) => editor.post(`${path}/archive-items`, items(n, 'archived'))),
    ...[8, 9, 10, 11].map((n) => owner.post(`${path}/delete-items`, items(n, 'deleted'))),
    owner.patch(path, { name: 'Renamed' }),
    owner.patch(`${path}/member/${responder.id}`, { role: 'editor' }),
    owner.delete(`${path}/member/${other.id}`),
    owner.patch(`/survey/${study.survey}`, {
      reminders: {
        type: 'rolling',
        recurrence: '0 9 * * *',
        notification: { subject: 'Diary', body: 'Please' },
      },
    }),
  ]);
  expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
  const { body } = await owner.get(`${path}/activity?limit=1000`);
  const verified = await verify(study);
  expect(verified).toMatchObject({ valid: true, entries: body.activities.length });
  expect(body.activities[0].hash).toBe(verified.head);
  const { results } = await env.DB.prepare(
    'select position, count(*) as n from activity where investigation_id = ? group by position order by position',
  )
    .bind(study.id)
    .all();
  expect(results.map(({ position, n }) => [position, n])).toEqual(results.map((_, n) => [n + 1, 1]));
  expect(await entries(study, 'items.locked')).toHaveLength(before.length + 4);
  expect(await entries(study, 'items.archived')).toHaveLength(4);
  expect(await entries(study, 'items.deleted')).toHaveLength(4);
});

test('30 edits of one response at once: all of them are in it, each a revision', async () => {
  const study = await sleepStudy();
  const of = await newCase(study, study.owner);
  const id = await newResponse(study, study.responder, of);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      (n % 2 ? study.responder : study.editor).patch(`/response/${id}`, { items: { q2: `edit ${n}` } }),
    ),
  );
  expect(tally(answers)).toEqual({ 200: 30 });
  const { revisions } = (await study.owner.get(`/response/${id}/revisions`)).body;
  expect(revisions).toHaveLength(31);
  expect(new Set(revisions.map((revision: { items: { q2?: string } }) => revision.items.q2)).size).toBe(31);
});

test('of 20 edits with the same If-Match one wins', async () => {
  const study = await sleepStudy();
  const of = await newCase(study, study.owner);
  const { headers } = await study.owner.get(`/case/${of}`);
  const match = { 'if-match': headers.get('etag') ?? '' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => study.owner.patch(`/case/${of}`, { label: `Edit ${n}` }, match)),
  );
  expect(tally(answers)).toEqual({ 200: 1, 412: 19 });
});

describe('new responses against the lock of their case', () => {
  test('none appears after the answer of the lock', async () => {
    const study = await sleepStudy();
    const cases = await seedCases(study, 20);
    const outcomes: Record<string, number> = {};
    for (const [n, of] of cases.entries()) {
      const create = () =>
        study.responder.post(`/survey/${study.survey}/response`, { case: of, items: { q1: 'well' } });
      const early = Array.from({ length: n % 20 }, create);
      const locking = lock(study.owner, study, { cases: [of] });
      const late = Array.from({ length: 20 - (n % 20) }, create);
      expect((await locking).status).toBe(204);
      const atLock = await countResponses(of);
      for (const [status, count] of Object.entries(tally(await Promise.all([...early, ...late]))))
        outcomes[status] = (outcomes[status] ?? 0) + count;
      expect(await countResponses(of)).toBe(atLock);
    }
    expect(Object.keys(outcomes).sort()).toEqual(['201', '423']);
  });

  const countResponses = async (of: string) =>
    (await env.DB.prepare('select count(*) as n from response where case_id = ?').bind(of).first('n')) ?? 0;
});

test('edits, archiving and deleting of cases against their lock: what is locked stays as it was', async () => {
  const study = await sleepStudy();
  const cases = await seedCases(study, 60);
  const statuses = new Set<number>();
  for (const [n, of] of cases.entries()) {
    const put = (route: string, status: string) =>
      study.owner.post(`/investigation/${study.id}/${route}`, { cases: [{ identifier: of }], status });
    const edits = (from: number) =>
      [0, 1, 2].map((k) => study.editor.patch(`/case/${of}`, { label: `Edit ${from + k}` }));
    const answers = await Promise.all([
      ...edits(0),
      ...(n % 3 === 0 ? [put('archive-items', 'archived')] : []),
      lock(study.owner, study, { cases: [of] }),
      ...(n % 3 === 1 ? [put('delete-items', 'deleted')] : []),
      ...(n % 3 === 2 ? [put('archive-items', 'archived')] : []),
      ...edits(3),
    ]);
    for (const { status } of answers) statuses.add(status);
  }
  // 404: deleted before the lock came; 409: archived before the edit came.
  expect([...statuses].sort().filter((status) => ![200, 204, 404, 409, 423].includes(status))).toEqual([]);
  expect([...statuses]).toContain(423);
  expect(await verify(study)).toMatchObject({ valid: true });
});

test('a creation sent 20 times at once with its own identifier makes one', async () => {
  const study = await sleepStudy();
  const identifier = 'c0ffee'.padEnd(32, '0');
  const path = `/investigation/${study.id}/case`;
  const cases = await Promise.all(
    Array.from({ length: 20 }, () => study.editor.post(path, { label: 'Night 1', identifier })),
  );
  expect(tally(cases)).toEqual({ 200: 19, 201: 1 });
  expect(new Set(cases.map(({ text }) => text)).size).toBe(1);

  const content = { case: identifier, items: { q1: 'well' }, reasons: { q2: 3 }, identifier };
  const survey = `/survey/${study.survey}/response`;
  const responses = await Promise.all([
    ...Array.from({ length: 20 }, () => study.responder.post(survey, content)),
  ]);
  expect(tally(responses)).toEqual({ 200: 19, 201: 1 });
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect((await study.owner.get(`/response/${identifier}/revisions`)).body.revisions).toHaveLength(1);
  const others = await Promise.all(
    Array.from({ length: 10 }, () => study.other.post(survey, { ...content, items: {} })),
  );
  expect(tally(others)).toEqual({ 409: 10 });
});
