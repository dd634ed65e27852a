import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { purgeItems } from '../../src/items/purge.ts';
import { linkedPages } from '../support/lists.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { watchedDb } from '../support/worker/apps.ts';
import { days, later, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

const most = 1_300_000;

/** The identifiers of all pages, none of which is larger than a page. */
async function walk(by: Person, path: string, name: string) {
  const found: string[] = [];
  for await (const { text, body } of linkedPages(by, path)) {
    expect(text.length).toBeLessThan(most);
    found.push(...body[name].map(({ identifier }: { identifier: string }) => identifier));
  }
  return found;
}

/** The sizes of the streamed parts, each of which is a page. */
async function chunks(by: Person, path: string, accept = 'application/json') {
  const { request } = countedApp();
  const response = await request(by, 'GET', path, undefined, { accept });
  const sizes: number[] = [];
  for await (const chunk of response.body as ReadableStream<Uint8Array>) sizes.push(chunk.length);
  return sizes;
}

describe('a page holds about a million characters', () => {
  test('of responses, the first one too, whether they are long, short or both', async () => {
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/responses`;
    const ids = [
      ...(await seedResponses(study, 6, { answer: 'x'.repeat(900_000) })),
      ...(await seedResponses(study, 2_000)),
      ...(await seedResponses(study, 40, { answer: 'y'.repeat(90_000) })),
    ];
    for (const by of [study.owner, study.responder]) {
      const found = await walk(by, `${path}?limit=1000`, 'responses');
      expect(found.toSorted()).toEqual(ids.toSorted());
      expect(new Set(found).size).toBe(ids.length);
    }
    for (const accept of ['application/json', 'text/csv']) {
      const sizes = await chunks(study.owner, path, accept);
      expect(Math.max(...sizes)).toBeLessThan(most);
      // Nine long ones, 3.6 MB and the short ones: pages are as full as their rows allow.
      expect(sizes.length).toBeLessThan(25);
    }
  });

  test('of surveys', async () => {
    const study = await sleepStudy();
    const items = Array.from({ length: 200 }, (_, n) => ({ identifier: `q${n}`, label: 'z'.repeat(1_900) }));
    const ids = [study.survey];
    for (let n = 0; n < 7; n++) {
      later(1000);
      const made = await study.owner.post(`/investigation/${study.id}/survey`, { name: `S${n}`, items });
      ids.push(made.body.identifier);
    }
    const path = `/investigation/${study.id}/surveys`;
    expect(await walk(study.responder, `${path}?limit=1000`, 'surveys')).toEqual(ids);
    expect(await walk(study.responder, `${path}?limit=2`, 'surveys')).toEqual(ids);
    const sizes = await chunks(study.owner, path);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(most);
    const plain = await study.owner.get(path);
    expect(plain.body.surveys).toHaveLength(8);
    expect((await study.owner.get(path, { accept: 'text/csv' })).text.split('\r\n')).toHaveLength(10);
    expectProblem(await study.owner.get(`${path}?limit=0`), 'request.invalid', ['?limit']);
  });
});

describe('status=deleted', () => {
  const listed = async (by: Person, study: Study, query: string) => {
    const answers = await Promise.all(
      (['cases', 'responses'] as const).map(async (name) => {
        const { body } = await by.get(`/investigation/${study.id}/${name}?${query}`);
        return body[name];
      }),
    );
    return answers.flat();
  };

  test('shows owners what they can bring back, and nobody else', async () => {
    const study = await sleepStudy();
    const [night, kept] = [await newCase(study, study.responder), await newCase(study, study.owner, 'Kept')];
    const id = await newResponse(study, study.responder, kept);
    const change = (status: string) =>
      study.owner.post(`/investigation/${study.id}/delete-items`, {
        cases: [{ identifier: night }],
        responses: [{ identifier: id }],
        status,
      });
    expect(await listed(study.owner, study, 'status=deleted')).toEqual([]);
    await change('deleted');
    expect(await listed(study.owner, study, 'status=deleted')).toMatchObject([
      { identifier: night, status: 'deleted' },
      { identifier: id, status: 'deleted', items: { q1: 'well' } },
    ]);
    expect(await listed(study.owner, study, 'status=all')).toMatchObject([{ identifier: kept }]);
    for (const by of [study.editor, study.responder, study.other])
      for (const name of ['cases', 'responses']) {
        const answer = await by.get(`/investigation/${study.id}/${name}?status=deleted`);
        expectProblem(answer, 'action.forbidden');
        expect(answer.text).not.toContain(id);
      }
    later(30 * days + 1);
    expect(await listed(study.owner, study, 'status=deleted')).toEqual([]);
    later(-2);
    await change('active');
    expect(await listed(study.owner, study, 'status=deleted')).toEqual([]);
    expect(await listed(study.owner, study, '')).toHaveLength(3);
  });
});

test('CSV has the columns of at most 500 items, or of one survey', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}`;
  const night = await newCase(study, study.owner);
  await newResponse(study, study.responder, night);
  const items = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ identifier: `i${from + n}`, label: '' }));
  later(1000);
  const long = await study.owner.post(`${path}/survey`, { name: 'Long', items: items(0, 498) });
  const csv = (query = '') => study.owner.get(`${path}/responses${query}`, { accept: 'text/csv' });
  const columns = (text: string) =>
    text
      .split('\r\n')[0]
      ?.split(',')
      .filter((name) => name.startsWith('items.'));
  expect(columns((await csv()).text)).toEqual([
    'items.q1',
    'items.q2',
    ...items(0, 498).map(({ identifier }) => `items.${identifier}`),
  ]);
  await study.owner.post(`${path}/survey`, { name: 'Longer', items: items(400, 99) });
  for (const query of ['', '?limit=5']) expectProblem(await csv(query), 'csv.too-wide', ['?survey']);
  expect(columns((await csv(`?survey=${study.survey}`)).text)).toEqual(['items.q1', 'items.q2']);
  expect(columns((await csv(`?survey=${long.body.identifier}`)).text)).toHaveLength(498);
});

test('deleted items are purged in batches of bounded rows and bytes, each with all its revisions', async () => {
  const study = await sleepStudy();
  await seedResponses(study, 600);
  const [long = ''] = await seedResponses(study, 1, { by: study.other.id, answer: 'x'.repeat(1_000_000) });
  await env.DB.batch([
    env.DB.prepare(
      `with recursive n(i) as (select 2 union all select i + 1 from n where i < 30)
       insert into response_revision (response_id, number, id, author_id, at, items, reasons)
       select response_id, i, id, author_id, at, items, reasons from response_revision, n where response_id = ?`,
    ).bind(long),
    env.DB.prepare('update response set deleted_at = ? where investigation_id = ?').bind(
      startOfTests - 31 * days,
      study.id,
    ),
  ]);
  const { db, watch } = watchedDb();
  await purgeItems({ db, now: startOfTests });
  const removed = watch.rows as { results: unknown[] }[][];
  expect(removed.length).toBeGreaterThan(4);
  for (const batch of removed)
    for (const { results } of batch) expect(results.length).toBeLessThanOrEqual(500);
  const ofLong = removed.filter(([revisions]) => (revisions?.results.length ?? 0) <= 8);
  expect(ofLong.length).toBeGreaterThan(3);
  for (const table of ['response', 'response_revision'])
    expect(await env.DB.prepare(`select count(*) as n from ${table}`).first('n')).toBe(
      table === 'response' ? await others('response') : await others('response_revision'),
    );
  async function others(table: string) {
    const key = table === 'response' ? 'id' : 'response_id';
    return env.DB.prepare(
      `select count(*) as n from ${table} where ${key} in (select id from response where investigation_id <> ?)`,
    )
      .bind(study.id)
      .first('n');
  }
});
