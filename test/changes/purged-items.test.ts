import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { purgeItems } from '../../src/items/purge.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { stateItems } from '../items/support/late-answers.ts';
import type { Person } from '../support/people.ts';
import { newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, small } from '../support/worker/apps.ts';
import { days, later, minutes } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { declare, site } from '../support/worker/groups.ts';
import { listed, newCopy, sorted } from './support/copies.ts';
import { followPart, lyonAndParis } from './support/lyon-and-paris.ts';

/* Deleted items are removed for good after 30 days, and the sites of a study go on without a trace of them missing. */

let study: Study;
let [bruno, chidi, dana] = [] as unknown as [Person, Person, Person];
let [lyon, paris, inLyon, inParis] = ['', '', '', ''];

beforeEach(async () => {
  ({ study, bruno, chidi, dana, lyon, paris, inLyon, inParis } = await lyonAndParis());
});

async function remove(items: { cases?: string[]; responses?: string[] }) {
  const { status, text } = await stateItems(study, 'delete', items, 'deleted');
  expect(status, text).toBe(204);
}

const purge = (now = Date.now()) => purgeItems({ db: createServices(env).db, now });

/** Past the time for which deleted items are kept. */
async function purgeLater() {
  later(31 * days);
  await purge();
}

const feedOf = async (by: Person, query = '?include=body') =>
  (await by.get(`/investigation/${study.id}/changes${query}`)).body.changes;

const countOf = (table: string, more = '') =>
  env.DB.prepare(`select count(*) as n from ${table} where investigation_id = ? ${more}`)
    .bind(study.id)
    .first('n');

const deletedBytes = () =>
  env.DB.prepare('select deleted_bytes as n from investigation where id = ?').bind(study.id).first('n');

test('deletions tell staff of their site, also those who ask once they are purged', async () => {
  const copy = newCopy();
  await followPart(copy, bruno, study);
  later(minutes);
  await remove({ responses: [inLyon, inParis], cases: [lyon, paris] });
  const deleted = expect.arrayContaining([
    expect.objectContaining({ kind: 'response', identifier: inLyon, state: 'deleted', body: null }),
    expect.objectContaining({ kind: 'case', identifier: lyon, state: 'deleted', body: null }),
  ]);
  const told = () => feedOf(bruno, `?after=${copy.next}&include=body`);
  expect(await told()).toEqual(deleted);
  await purgeLater();
  for (const table of ['response', 'study_case']) expect(await countOf(table)).toBe(0);
  expect(await told()).toEqual(deleted);
  expect(await told()).toHaveLength(2);
  await followPart(copy, bruno, study);
  expect(sorted(copy.things)).toEqual(sorted(await listed(bruno, study)));
});

test('an identifier that is used again is of its new site alone', async () => {
  const [night, answer] = ['c'.repeat(32), 'd'.repeat(32)];
  const make = async (by: Person, of: string, text: string) => {
    const label = { label: text, identifier: night };
    expect((await by.post(`/investigation/${study.id}/case`, label)).status).toBe(201);
    const given = { case: of, items: { q1: text }, identifier: answer };
    expect((await dana.post(`/survey/${study.survey}/response`, given)).status).toBe(201);
  };
  await make(chidi, lyon, 'Of Lyon');
  await remove({ cases: [night], responses: [answer] });
  await purgeLater();
  await make(dana, paris, 'Of Paris');
  expect(JSON.stringify(await feedOf(study.owner))).toContain('Of Paris');
  expect(JSON.stringify(await feedOf(bruno))).not.toContain('Of Paris');
});

describe('answers whose case is purged', () => {
  test('stay in its site, for lists, copies and freezes, and have nothing of what was written in it', async () => {
    const copy = newCopy();
    await followPart(copy, bruno, study);
    await remove({ cases: [lyon] });
    await purgeLater();
    expect((await bruno.get(`/response/${inLyon}`)).body.properties).toEqual({ site: 'lyon' });
    expect((await bruno.get(`/response/${inParis}`)).status).toBe(404);
    await followPart(copy, bruno, study);
    expect(sorted(copy.things)).toEqual(sorted(await listed(bruno, study)));
    expect(copy.things.has(`response ${inLyon}`)).toBe(true);
    expect(
      await env.DB.prepare('select label, created_with from study_case where id = ?').bind(lyon).first(),
    ).toEqual({ label: '', created_with: '' });
    expect(await deletedBytes()).toBe(200);

    const freeze = async (status: string) => {
      const lyons = { status, reason: 'Visit', properties: { site: ['lyon'] } };
      const frozen = await study.owner.post(`/investigation/${study.id}/freeze`, lyons);
      expect(frozen.status, frozen.text).toBeLessThan(300);
    };
    const edit = () => study.owner.patch(`/response/${inLyon}`, { items: { q1: 'better' } });
    await freeze('frozen');
    expectProblem(await edit(), 'study.frozen');
    await freeze('active');
    expect((await edit()).status).toBe(200);
  });

  test('keep it deleted for everybody, and it goes with the last of them', async () => {
    const more = await newResponse(study, dana, lyon);
    await remove({ cases: [lyon] });
    await purgeLater();
    for (const by of [study.owner, chidi]) expect((await by.get(`/case/${lyon}`)).status).toBe(404);
    const list = await study.owner.get(`/investigation/${study.id}/cases?status=deleted`);
    expect(list.body.cases).toEqual([]);
    expectProblem(await stateItems(study, 'delete', { cases: [lyon] }, 'active'), 'items.not-found');
    const late = await chidi.post(`/survey/${study.survey}/response`, { case: lyon, items: { q1: 'well' } });
    expect(late.status).toBe(404);

    for (const [response, left] of [
      [more, 1],
      [inLyon, 0],
    ] as const) {
      await remove({ responses: [response] });
      await purgeLater();
      expect(await countOf('study_case', `and id = '${lyon}'`)).toBe(left);
    }
    expect(await deletedBytes()).toBe(0);
    const told = await feedOf(bruno);
    for (const identifier of [lyon, more, inLyon])
      expect(told).toContainEqual(expect.objectContaining({ identifier, state: 'deleted' }));
  });

  test('do not keep a value of a property that nobody else has', async () => {
    const nice = { ...site, values: [...site.values, 'nice'] };
    await declare(study, nice);
    const label = { label: 'Of Nice', properties: { site: 'nice' } };
    const { identifier } = (await study.owner.post(`/investigation/${study.id}/case`, label)).body;
    await newResponse(study, dana, identifier);
    await remove({ cases: [identifier] });
    const giveUp = () => study.owner.patch(`/investigation/${study.id}`, { properties: [site] });
    expectProblem(await giveUp(), 'property.in-use');
    await purgeLater();
    expect((await giveUp()).status).toBe(200);
  });
});

test('the bytes of a study are right after its purge, however many cases went', async () => {
  const ids = Array.from({ length: 520 }, (_, n) => `b${n.toString(16).padStart(31, '0')}`);
  await env.DB.prepare(`insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
    select value, ?1, creator_id, 'Night', 0, 'xxxxx', edited_at, created_at, revision_id from json_each(?2), study_case where study_case.id = ?3`)
    .bind(study.id, JSON.stringify(ids), lyon)
    .run();
  await env.DB.prepare(
    'update investigation set stored_bytes = stored_bytes + 520 * 210, case_count = case_count + 520 where id = ?',
  )
    .bind(study.id)
    .run();
  for (let n = 0; n < ids.length; n += 100) await remove({ cases: ids.slice(n, n + 100) });
  later(minutes);
  await remove({ cases: [lyon] });
  await purgeLater();
  expect(await countOf('study_case', 'and deleted_at is not null')).toBe(1);
  expect(await deletedBytes()).toBe(200);
});

test('what comes back at the last moment is whole', async () => {
  await remove({ cases: [lyon], responses: [inParis] });
  later(30 * days);
  const db = interruptedDb(() => purge(Date.now() + minutes));
  const send = small({}, { db });
  const owner = { ...study.owner, post: (path: string, body?: object) => send(study.owner, path, body) };
  const items = { cases: [lyon], responses: [inParis] };
  const back = await stateItems({ ...study, owner }, 'delete', items, 'active');
  expect(back.status, back.text).toBe(204);
  expect((await study.owner.get(`/case/${lyon}`)).body.label).toBe('Night 1');
  expect((await study.owner.get(`/response/${inParis}`)).body.items).toEqual({ q1: 'well' });
  expect(await deletedBytes()).toBe(0);
});
