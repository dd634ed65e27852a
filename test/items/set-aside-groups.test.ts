import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { allPages, csv, keyIn, tableOf } from '../support/lists.ts';
import type { Person } from '../support/people.ts';
import { newCase, newMember, type Study } from '../support/studies.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { blindedArm, bound, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let mona: Person;
let [bruno, chidi, dana] = [] as unknown as [Person, Person, Person];

/** Bruno edits Lyon, Mona monitors it. Chidi takes part in Lyon, and Dana in Paris. */
beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  mona = await newMember(world, study, 'Mona', 'monitor');
  [bruno, chidi, dana] = [study.editor, study.responder, study.other];
  await declare(study, site, blindedArm);
  await regroup(study, chidi, { site: 'lyon' });
  await regroup(study, dana, { site: 'paris' });
  for (const one of [bruno, mona]) await bound(study, one, { site: ['lyon'] });
});

const path = () => `/investigation/${study.id}/set-aside`;

async function waiting(by: Person, query = '') {
  const { status, text, body } = await by.get(`${path()}${query}`);
  expect(status, text).toBe(200);
  return body.setAside;
}

const idsOf = (list: { identifier: string }[]) => list.map(({ identifier }) => identifier);

/** An answer of somebody that is set aside, to a survey, for a case that is archived meanwhile. */
async function asideFor(by: Person, of: string, survey = study.survey) {
  const at = new Date(Date.now()).toISOString();
  later(minutes);
  await study.owner.post(`/investigation/${study.id}/archive-items`, {
    cases: [{ identifier: of }],
    status: 'archived',
  });
  const identifier = crypto.randomUUID().replaceAll('-', '');
  const given = await by.post(`/survey/${survey}/response`, {
    case: of,
    items: { q1: 'dozed' },
    at,
    identifier,
  });
  expect(given.status, given.text).toBe(202);
  return identifier;
}

test('answers of people of another site do not exist for staff of one', async () => {
  const own = await newSetAside(study);
  const other = await newSetAside({ ...study, responder: dana });
  expect(idsOf(await waiting(study.owner))).toEqual([own, other]);
  for (const by of [bruno, mona]) {
    expect(await waiting(by)).toMatchObject([
      { identifier: own, name: 'Chidi', properties: { site: 'lyon' } },
    ]);
    expect(await waiting(by, '?property=site:paris')).toEqual([]);
  }
  expect(idsOf(await waiting(study.owner, '?property=site:paris'))).toEqual([other]);
  for (const by of [study.owner, bruno])
    expectProblem(await by.get(`${path()}?property=site:rome`), 'request.invalid', ['?property']);
  expectProblem(await bruno.get(`${path()}?property=arm:b`), 'request.invalid', ['?property']);
  for (const act of ['place', 'discard'])
    expectProblem(
      await changingNothing(() =>
        bruno.post(`/set-aside/${other}/${act}`, act === 'place' ? { case: own } : {}),
      ),
      'resource.not-found',
    );
});

test('a file has a column for each property, and the log has as many rows as it has', async () => {
  await newSetAside(study);
  for (const responder of [dana, dana]) await newSetAside({ ...study, responder });
  for (const [by, query, count] of [
    [bruno, '', 1],
    [study.owner, '', 3],
    [study.owner, 'property=site:paris&', 2],
  ] as const) {
    const table = tableOf((await by.get(`${path()}?${query}`, csv)).text);
    expect(table).toHaveLength(count);
    expect(table[0]?.['property.site']).toBe(query === '' ? 'lyon' : 'paris');
    await by.get(`${path()}?${query}limit=1`, csv);
    const { body } = await study.owner.get(`/investigation/${study.id}/activity?limit=1`);
    expect(body.activities[0]).toMatchObject({
      action: 'data.exported',
      details: { data: 'set-aside', count },
    });
  }
});

test('the label of a case is shown to those who see it, and an answer is placed in such a case only', async () => {
  const [night, other] = [await newCase(study, chidi, 'Of Lyon'), await newCase(study, dana, 'Of Paris')];
  const aside = await asideFor(chidi, await newCase(study, dana, 'Nap of Paris'));
  expect(await waiting(study.owner)).toMatchObject([{ identifier: aside, caseLabel: 'Nap of Paris' }]);
  const [shown] = await waiting(bruno);
  expect(shown.identifier).toBe(aside);
  expect(shown).not.toHaveProperty('caseLabel');
  const place = (into: string) => bruno.post(`/set-aside/${aside}/place`, { case: into });
  expectProblem(await changingNothing(() => place(other)), 'items.not-found', ['/case']);
  expect(await place(night)).toMatchObject({ status: 201, body: { properties: { site: 'lyon' } } });
  expect((await place(night)).status).toBe(200);
});

test('answers to a survey for a blinded arm wait for owners', async () => {
  const erik = await newMember(world, study, 'Erik', 'editor');
  const survey = await newSurvey(study, { for: { arm: ['b'] } });
  await regroup(study, chidi, { arm: 'b' });
  const plain = await newSetAside(study);
  const blinded = await asideFor(chidi, await newCase(study, chidi, 'Nap'), survey);
  expect(idsOf(await waiting(study.owner))).toEqual([plain, blinded]);
  const into = await newCase(study, chidi);
  for (const by of [erik, bruno, mona]) {
    expect(idsOf(await waiting(by))).toEqual([plain]);
    expect(JSON.stringify(await waiting(by))).not.toContain('arm');
  }
  for (const by of [erik, bruno]) {
    expectProblem(
      await changingNothing(() => by.post(`/set-aside/${blinded}/discard`, {})),
      'resource.not-found',
    );
    expectProblem(
      await changingNothing(() => by.post(`/set-aside/${blinded}/place`, { case: into })),
      'resource.not-found',
    );
  }
  expect((await study.owner.post(`/set-aside/${blinded}/place`, { case: into })).status).toBe(201);
});

test('a page of a part is short, and its next one goes on behind what it looked at', async () => {
  const first = await newSetAside(study);
  const danas = await seedAsides(study.survey, dana);
  const last = await newSetAside(study);
  const pages = await allPages(bruno, `${path()}?limit=3`);
  expect(pages.map(({ body }) => body.setAside.length)).toEqual([1, 1]);
  // The end is an answer of Dana's, and not named.
  expect(pages.map(keyIn)).toEqual([[expect.any(Number), danas.padEnd(32, '0')], undefined]);
  expect(idsOf(await waiting(bruno))).toEqual([first, last]);
  expect(idsOf(await waiting(study.owner, '?property=site:lyon'))).toEqual([first, last]);
});

test('answers to a survey for a blinded arm make no page of other staff shorter', async () => {
  const erik = await newMember(world, study, 'Erik', 'editor');
  const survey = await newSurvey(study, { for: { arm: ['b'] } });
  const first = await newSetAside(study);
  await seedAsides(survey, chidi);
  const last = await newSetAside(study);
  for (const by of [erik, bruno, mona])
    for (const query of ['', '&property=site:lyon']) {
      const { body } = await by.get(`${path()}?limit=3${query}`);
      expect(idsOf(body.setAside)).toEqual([first, last]);
      expect(body.next).toBeUndefined();
    }
});

let seeds = 0;

/** 5,001 answers of somebody that wait, past the front door; and it is an hour later. Returns the beginning of their identifiers. */
async function seedAsides(survey: string, by: Person) {
  const prefix = `feed${String(++seeds).padStart(4, '0')}`;
  await env.DB.prepare(
    `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < 5000)
    insert into set_aside (id, investigation_id, survey_id, case_id, responder_id, reason, items, reasons, given_at, outdated, created_at, created_hash, stored_bytes)
    select '${prefix}' || printf('%024x', n), ?1, ?2, ?1, ?3, 'left-study', '{}', '{}', ?4, 0, ?4 + n, 'x', 1 from counter`,
  )
    .bind(study.id, survey, by.id, Date.now() + 1)
    .run();
  later(60 * minutes);
  return prefix;
}
