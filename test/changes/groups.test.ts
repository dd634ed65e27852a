import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { lock, newCase, newMember, newResponse, type Study } from '../support/studies.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { arm, blindedArm, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { signUp, world } from '../support/worker/world.ts';
import { follow, listed, newCopy, sorted } from './support/copies.ts';
import { followPart, lyonAndParis } from './support/lyon-and-paris.ts';

let study: Study;
let [mona, bruno, chidi, dana] = [] as unknown as [Person, Person, Person, Person];
let [lyon, paris, inLyon, inParis] = ['', '', '', ''];

beforeEach(async () => {
  ({ study, mona, bruno, chidi, dana, lyon, paris, inLyon, inParis } = await lyonAndParis());
});

const feed = (of: Person, query = '') => of.get(`/investigation/${study.id}/changes${query}`);

const identifiers = (list: { identifier: string }[]) => list.map(({ identifier }) => identifier);

test('staff of a site get the changes of the site, and of the study', async () => {
  for (const by of [bruno, mona]) {
    const { body } = await feed(by);
    const told = identifiers(body.changes);
    expect(told.toSorted()).toEqual(
      [study.id, study.survey, study.owner.id, bruno.id, mona.id, chidi.id, lyon, inLyon].toSorted(),
    );
    expect(body.next).toBe(body.latest);
    const { text } = await feed(by, '?include=body');
    for (const hidden of [dana.id, paris, inParis, 'Dana']) expect(text).not.toContain(hidden);
  }
  const all = (await feed(study.owner)).body;
  expect(all.latest).toBe(all.changes.at(-1).sequence);
  expect(identifiers(all.changes)).toContain(paris);
});

test('a copy of a part equals the lists, as its things change and leave', async () => {
  const copy = newCopy();
  const compare = async () => {
    await followPart(copy, bruno, study, 3);
    expect(sorted(copy.things)).toEqual(sorted(await listed(bruno, study)));
  };
  await compare();
  expect(copy.things.get(`response ${inLyon}`)).toMatchObject({ name: '', properties: { site: 'lyon' } });
  later(minutes);
  await lock(dana, study, { responses: [inLyon] });
  await lock(study.owner, study, { cases: [paris] });
  const more = await newResponse(study, chidi, lyon);
  await compare();
  await study.owner.post(`/investigation/${study.id}/delete-items`, {
    responses: [{ identifier: more }],
    cases: [],
    status: 'deleted',
  });
  await study.owner.delete(`/investigation/${study.id}/member/${chidi.id}`);
  await study.owner.delete(`/investigation/${study.id}/member/${mona.id}`);
  await study.owner.delete(`/investigation/${study.id}/member/${dana.id}`);
  const { changes } = (await feed(bruno, `?after=${copy.next}`)).body;
  const told = identifiers(changes);
  expect(told).toEqual(expect.arrayContaining([more, chidi.id, mona.id]));
  expect(told).not.toContain(dana.id);
  await compare();
});

test('a copy begins again as something leaves or enters the part, and pages of the new one fit', async () => {
  const [copy, kept] = [newCopy(), newCopy()];
  await followPart(copy, bruno, study);
  await follow(kept, study.owner, study.id);
  later(minutes);
  await study.owner.patch(`/case/${lyon}`, { properties: { site: 'paris' } });
  expectProblem(await feed(bruno, `?after=${copy.next}`), 'request.invalid', ['?after']);
  expect((await feed(bruno, `?after=${copy.next}`)).body.detail).toContain('begin again with 0');
  await study.owner.patch(`/case/${paris}`, { properties: { site: 'lyon' } });
  for (let n = 0; n < 5; n++) await newResponse(study, dana, paris);
  const anew = newCopy();
  await followPart(anew, bruno, study, 2);
  expect(sorted(anew.things)).toEqual(sorted(await listed(bruno, study)));
  expect(anew.things.has(`case ${lyon}`)).toBe(false);
  expect(anew.things.has(`response ${inParis}`)).toBe(true);
  // Owners go on as ever, also as a participant takes a case along, and its answers.
  const along = await newCase(study, dana);
  const taken = await newResponse(study, dana, along);
  await follow(kept, study.owner, study.id);
  await regroup(study, dana, { site: 'lyon' });
  expect((await study.owner.get(`/response/${taken}`)).body.properties).toEqual({ site: 'lyon' });
  await follow(kept, study.owner, study.id);
  expect(sorted(kept.things)).toEqual(sorted(await listed(study.owner, study)));
});

test('a copy begins again as somebody leaves the part who has neither case nor answer', async () => {
  const eve = await newMember(world, study, 'Eve', 'responder');
  await regroup(study, eve, { site: 'lyon' });
  const copy = newCopy();
  await followPart(copy, bruno, study);
  expect(copy.things.has(`member ${eve.id}`)).toBe(true);
  await regroup(study, eve, { site: 'paris' });
  expectProblem(await feed(bruno, `?after=${copy.next}`), 'request.invalid', ['?after']);
  const anew = newCopy();
  await followPart(anew, bruno, study);
  expect(anew.things.has(`member ${eve.id}`)).toBe(false);
});

test('who sees another part, or all, begins again', async () => {
  await study.owner.patch(`/case/${lyon}`, { properties: { site: 'paris' } });
  const { next, latest } = (await feed(bruno)).body;
  expect(next).toBe(latest);
  const plain = (await feed(study.owner)).body.latest;
  expectProblem(await feed(bruno, `?after=${plain}`), 'request.invalid', ['?after']);
  expectProblem(await feed(study.owner, `?after=${next}`), 'request.invalid', ['?after']);
  expectProblem(await feed(bruno, `?after=${latest + 1}`), 'request.invalid', ['?after']);
  expect((await feed(bruno, `?after=${next}`)).body).toMatchObject({ changes: [], next, latest });
});

test('properties and scopes are shown as lists show them', async () => {
  const erik = await newMember(world, study, 'Erik', 'editor');
  const things = async (by: Person) => {
    const copy = newCopy();
    await followPart(copy, by, study);
    return copy.things;
  };
  for (const by of [study.owner, erik, bruno])
    expect(sorted(await things(by))).toEqual(sorted(await listed(by, study)));
  expect((await things(study.owner)).get(`member ${bruno.id}`)).toMatchObject({ scope: { site: ['lyon'] } });
  for (const by of [erik, bruno]) {
    const shown = await things(by);
    expect(shown.get(`member ${chidi.id}`)).toMatchObject({ properties: { site: 'lyon' } });
    expect('scope' in (shown.get(`member ${mona.id}`) ?? {})).toBe(false);
    expect('scope' in (shown.get(`member ${by.id}`) ?? {})).toBe(by === bruno);
  }
});

test('in a study with a blinded arm only owners read it, with or without a survey for an arm', async () => {
  const erik = await newMember(world, study, 'Erik', 'editor');
  expect((await feed(erik)).status).toBe(200);
  await declare(study, site, blindedArm);
  // People of an arm whose changes are together in the feed.
  await regroup(study, chidi, { arm: 'b' });
  const refuse = async () => {
    for (const by of [erik, bruno, mona])
      for (const headers of [{}, { 'if-none-match': '"1"' }])
        for (const query of ['', '?include=body'])
          expectProblem(
            await by.get(`/investigation/${study.id}/changes${query}`, headers as Record<string, string>),
            'action.forbidden',
          );
  };
  await refuse();
  const survey = await newSurvey(study, { for: { arm: ['b'] } });
  await refuse();
  const { body } = await feed(study.owner, '?include=body');
  expect(identifiers(body.changes)).toContain(survey);
  const ofChidi = body.changes.find(({ identifier }: { identifier: string }) => identifier === chidi.id);
  expect(ofChidi.body.properties).toEqual({ arm: 'b', site: 'lyon' });
  // The arms are told: everybody reads it again.
  await declare(study, site, arm);
  expect(identifiers((await feed(erik)).body.changes)).toContain(survey);
});

test('a page of a part looks at 5,000 changes at most, and `next` is behind them', async () => {
  const before = (await feed(study.owner)).body.changes.length;
  await env.DB.prepare(
    `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < 5999)
    insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id, properties)
    select 'feed' || printf('%028x', n), ?1, ?2, 'Night', 0, '{}', ?3 + n, ?3 + n, 'feed' || printf('%028x', n), '{"site":["paris"]}' from counter`,
  )
    .bind(study.id, dana.id, Date.now())
    .run();
  const last = await newCase(study, chidi);
  const { measure } = countedApp();
  for (const include of ['', '&include=body']) {
    const first = await measure(bruno, 'GET', `/investigation/${study.id}/changes?limit=100${include}`);
    const { changes, next, latest } = first.answer.body;
    expect(changes).toHaveLength(8);
    // 6,000 cases and one, but for those that were looked at behind the first changes.
    expect(latest - next).toBe(6_001 - 5_000 + before);
    // A copy with bodies that begins is an entry of the log.
    if (include === '') expect(first).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    // Each change, its thing, and the rule that it does not fit.
    expect(first.rowsRead).toBeLessThan(7 * 5_000);
    const second = await measure(bruno, 'GET', `/investigation/${study.id}/changes?after=${next}${include}`);
    expect(identifiers(second.answer.body.changes)).toEqual([last]);
    expect(second.answer.body.next).toBe(second.answer.body.latest);
    const all = await measure(study.owner, 'GET', `/investigation/${study.id}/changes?limit=100${include}`);
    expect(all.rowsRead).toBeLessThanOrEqual(100 * (include ? 11 : 1) + 10);
  }
});

test('a program without a role in the study gets nothing', async () => {
  expectProblem(await feed(await signUp('Gil')), 'resource.not-found');
  expectProblem(await feed(chidi), 'action.forbidden');
});
