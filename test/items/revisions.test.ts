import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { linkedPages } from '../support/lists.ts';
import { type Answer, type Person, requestOf } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { readChecked } from '../support/worker/contract.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { manyItems, studyOfManyItems } from './support/long-responses.ts';

let study: Study;
beforeAll(async () => {
  study = await studyOfManyItems();
});

/** Every page, in order. */
async function walk(by: Person, id: string, limit = 1000) {
  const revisions: { identifier: string; items: Record<string, string>; reasons: object }[] = [];
  for await (const answer of linkedPages(by, `/response/${id}/revisions?limit=${limit}`)) {
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.text.length).toBeLessThan(1_300_000);
    expect(answer.body.revisions.length).toBeGreaterThan(0);
    revisions.push(...answer.body.revisions);
  }
  return revisions;
}

test('the history of many edits is what each of them answered, and each page of it is cheap', async () => {
  const night = await newCase(study, study.owner);
  const id = await newResponse(study, study.responder, night, { q0: 'start' });
  const answered = [(await study.owner.get(`/response/${id}`)).body];
  let seed = 7;
  const random = (max: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % max;
  };
  for (let n = 0; n < 150; n++) {
    const item = `q${random(20)}`;
    const answer = await study.responder.patch(`/response/${id}`, {
      items: { [item]: random(4) === 0 ? null : 'word '.repeat(random(400)) + n },
      reasons: { [`q${random(20)}`]: random(3) === 0 ? null : n },
    });
    if (answer.headers.get('etag') !== undefined) answered.unshift(answer.body);
  }
  const distinct = answered.filter((body, n) => JSON.stringify(body) !== JSON.stringify(answered[n + 1]));
  for (const limit of [1000, 7]) {
    const history = await walk(study.owner, id, limit);
    expect(history.map(({ items, reasons }) => ({ items, reasons }))).toEqual(
      distinct.map(({ items, reasons }) => ({ items, reasons })),
    );
  }
  const { measure } = countedApp();
  const page = await measure(study.owner, 'GET', `/response/${id}/revisions?limit=5`);
  expect(page).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  // The page, measured once and read once.
  expect(page.rowsRead).toBeLessThanOrEqual(4 * 5 + 20);
});

/** An app of its own with small limits. */
function small(limits: Partial<Record<'MAX_REVISIONS' | 'MAX_STUDY_BYTES', string>>) {
  const app = createApp({ ...createServices(env), log: () => {} }, readConfig({ ...env, ...limits }));
  return async (by: Person, method: string, path: string, body: object): Promise<Answer> =>
    readChecked(method, path, await app.request(path, requestOf({ method, token: by.token, body })));
}

test('a response has a limited number of revisions; the last place is not taken twice', async () => {
  const send = small({ MAX_REVISIONS: '4' });
  const night = await newCase(study, study.owner);
  const id = await newResponse(study, study.responder, night, {});
  const path = `/response/${id}`;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => send(study.responder, 'PATCH', path, { items: { q1: `${n}` } })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
  await changingNothing(async () => {
    const refused = await send(study.responder, 'PATCH', path, { items: { q1: 'more' } });
    expectProblem(refused, 'limit.reached');
    expect(refused.body.bound).toBe('MAX_REVISIONS');
  });
  expect(await walk(study.owner, id)).toHaveLength(4);
});

describe('the bytes that a study stores', () => {
  const first = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .first<number>('n');
  const bytesOf = async ({ id }: Study) =>
    (await first('select stored_bytes as n from investigation where id = ?', id)) ?? 0;
  /** The same, from what is there. */
  const counted = ({ id }: Study) =>
    first(
      `select (select sum(200 + octet_length(created_with) + octet_length(label)) from study_case where investigation_id = ?1)
        + (select sum(200 + octet_length(name) + octet_length(items) + coalesce(octet_length(reminders), 0)) from survey where investigation_id = ?1)
        + (select coalesce(sum(200 + octet_length(items) + octet_length(reasons)), 0) from response where investigation_id = ?1 and deleted_at is null)
        + (select coalesce(sum(200 + octet_length(v.items) + octet_length(v.reasons) + coalesce(octet_length(v.reason), 0)), 0) from response r join response_revision v on v.response_id = r.id where r.investigation_id = ?1 and r.deleted_at is null)
        + (select coalesce(sum(200 + octet_length(details)), 0) from activity where investigation_id = ?1 and octet_length(details) > 1000) as n`,
      id,
    );

  test('is counted as it changes', async () => {
    const own = await sleepStudy();
    const night = await newCase(own, own.owner);
    expect(await bytesOf(own)).toBe(await counted(own));
    const id = await newResponse(own, own.responder, night, { q1: 'é'.repeat(1000) });
    expect(await bytesOf(own)).toBe(await counted(own));
    await own.responder.patch(`/response/${id}`, { items: { q1: 'short' }, reason: 'Trop détaillé' });
    await own.responder.patch(`/response/${id}`, { items: { q2: 'long '.repeat(500) }, reasons: { q1: 1 } });
    await own.owner.patch(`/case/${night}`, { label: 'Another label' });
    await own.owner.patch(`/survey/${own.survey}`, { name: 'Another name', items: manyItems });
    expect(await bytesOf(own)).toBe(await counted(own));
    const gone = { responses: [{ identifier: id }], status: 'deleted' };
    expect((await own.owner.post(`/investigation/${own.id}/delete-items`, gone)).status).toBe(204);
    expect(await bytesOf(own)).toBe(await counted(own));
  });
});
