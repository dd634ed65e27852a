import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { allPages, csv, keyIn, linkedPages, tableOf } from '../support/lists.ts';
import { type Answer, created, type Person } from '../support/people.ts';
import { lock, newCase, newMember, newResponse, responseIn, type Study } from '../support/studies.ts';
import { later, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { blindedArm, bound, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

const ward = { name: 'ward', values: ['day', 'night'] };
const lyon = { site: ['lyon'] };

interface Trial extends Study {
  chidi: Person;
  dana: Person;
  bruno: Person;
  mona: Person;
}

let trial: Trial;

/** Ada owns a trial with two sites: Bruno edits Lyon, Mona monitors Lyon, Chidi takes part in Lyon, and Dana in Paris. */
beforeEach(async () => {
  setClock(startOfTests);
  const study = await sleepStudy();
  const mona = await newMember(world, study, 'Mona', 'monitor');
  await declare(study, site, ward);
  await regroup(study, study.responder, { site: 'lyon' });
  await regroup(study, study.other, { site: 'paris' });
  await bound(study, study.editor, lyon);
  await bound(study, mona, lyon);
  trial = { ...study, chidi: study.responder, dana: study.other, bruno: study.editor, mona };
});

const identifiers = (list: { identifier: string }[]) => list.map(({ identifier }) => identifier);

const listed = async (by: Person, name: 'cases' | 'responses', query = '') => {
  const { status, text, body } = await by.get(`/investigation/${trial.id}/${name}${query}`);
  expect(status, text).toBe(200);
  return body[name];
};

const found = async (...asked: Parameters<typeof listed>) => identifiers(await listed(...asked));

const makeCase = (by: Person, body: object) =>
  by.post(`/investigation/${trial.id}/case`, { label: 'Night', ...body });

/** The number of rows that the log has for the newest download. */
async function exportedCount() {
  const { body } = await trial.owner.get(`/investigation/${trial.id}/activity?limit=1`);
  expect(body.activities[0].action).toBe('data.exported');
  return body.activities[0].details.count;
}

describe('cases', () => {
  test('have the properties of the participant who makes them, and staff see those', async () => {
    const night = await newCase(trial, trial.chidi);
    for (const by of [trial.owner, trial.bruno, trial.mona]) {
      expect((await by.get(`/case/${night}`)).body.properties).toEqual({ site: 'lyon' });
      expect(await listed(by, 'cases')).toMatchObject([{ identifier: night, properties: { site: 'lyon' } }]);
    }
    expect((await trial.chidi.get(`/case/${night}`)).body).not.toHaveProperty('properties');
    expect((await listed(trial.chidi, 'cases'))[0]).not.toHaveProperty('properties');
  });

  test('of another site do not exist for staff of one', async () => {
    const [night, other] = [await newCase(trial, trial.chidi), await newCase(trial, trial.dana)];
    const nobodys = await newCase(trial, trial.owner);
    expect((await found(trial.owner, 'cases')).toSorted()).toEqual([night, other, nobodys].toSorted());
    for (const by of [trial.bruno, trial.mona]) {
      expect(await found(by, 'cases')).toEqual([night]);
      for (const gone of [other, nobodys]) {
        expectProblem(await by.get(`/case/${gone}`), 'resource.not-found');
        expectProblem(await changingNothing(() => lock(by, trial, { cases: [gone] })), 'items.not-found');
      }
    }
    expectProblem(
      await changingNothing(() => trial.bruno.patch(`/case/${other}`, { label: 'x' })),
      'resource.not-found',
    );
    for (const [route, status] of [
      ['archive-items', 'archived'],
      ['delete-items', 'deleted'],
    ])
      expectProblem(
        await changingNothing(() =>
          trial.bruno.post(`/investigation/${trial.id}/${route}`, {
            cases: [{ identifier: other }],
            responses: [],
            status,
          }),
        ),
        'items.not-found',
      );
    expect((await lock(trial.mona, trial, { cases: [night] })).status).toBe(204);
  });

  test('are counted in the log as their reader sees them', async () => {
    for (const by of [trial.chidi, trial.dana, trial.dana]) await newCase(trial, by);
    for (const [by, query, count] of [
      [trial.bruno, '', 1],
      [trial.owner, '', 3],
      [trial.owner, '?property=site:paris', 2],
    ] as const) {
      const path = `/investigation/${trial.id}/cases${query}`;
      expect(tableOf((await by.get(path, csv)).text)).toHaveLength(count);
      expect(await exportedCount()).toBe(count);
      // The count of a list that goes on behind its first page.
      await by.get(`${path}${query ? '&' : '?'}limit=1`, csv);
      expect(await exportedCount()).toBe(count);
    }
  });

  test('are filtered by their properties', async () => {
    const [night, other] = [await newCase(trial, trial.chidi), await newCase(trial, trial.dana)];
    const by = { site: 'paris', ward: 'day' };
    const third = created(await makeCase(trial.owner, { properties: by })).identifier;
    const asked = (query: string, by = trial.owner) => found(by, 'cases', `?${query}`);
    expect(await asked('property=site:lyon')).toEqual([night]);
    expect((await asked('property=site:paris')).toSorted()).toEqual([other, third].toSorted());
    expect(await asked('property=site:paris&property=ward:day')).toEqual([third]);
    expect(await asked('property=site:paris&property=site:lyon')).toHaveLength(3);
    expect(await asked('property=site:lyon&property=ward:day')).toEqual([]);
    expect(await asked('property=site:paris&status=deleted')).toEqual([]);
    expect(await asked('property=site:paris', trial.bruno)).toEqual([]);
    expect(await asked('property=site:lyon', trial.mona)).toEqual([night]);
    for (const name of ['cases', 'responses'])
      for (const [by, value] of [
        [trial.owner, 'arm:b'],
        [trial.owner, 'site:rome'],
        [trial.chidi, 'site:lyon'],
      ] as const)
        expectProblem(
          await by.get(`/investigation/${trial.id}/${name}?property=${value}`),
          'request.invalid',
          ['?property'],
        );
  });

  test('that an editor of a site makes are in it', async () => {
    const filled = created(await makeCase(trial.bruno, {}));
    expect(filled.properties).toEqual({ site: 'lyon' });
    later(1);
    const given = created(await makeCase(trial.bruno, { properties: { ward: 'day' } }));
    expect(given.properties).toEqual({ site: 'lyon', ward: 'day' });
    const elsewhere = () => makeCase(trial.bruno, { properties: { site: 'paris' } });
    expectProblem(await changingNothing(elsewhere), 'request.invalid', ['/properties/site']);
    await bound(trial, trial.bruno, { site: ['lyon', 'paris'] });
    expectProblem(await changingNothing(() => makeCase(trial.bruno, {})), 'request.invalid', [
      '/properties/site',
    ]);
    expect(created(await elsewhere()).properties).toEqual({ site: 'paris' });
    expect(await found(trial.mona, 'cases')).toEqual([filled.identifier, given.identifier]);
  });

  test('get declared properties only, from owners and editors', async () => {
    for (const properties of [{ arm: 'b' }, { site: 'rome' }])
      expectProblem(await makeCase(trial.owner, { properties }), 'request.invalid', [
        `/properties/${Object.keys(properties)[0]}`,
      ]);
    expectProblem(await makeCase(trial.chidi, { properties: { site: 'paris' } }), 'action.forbidden');
    expectProblem(await makeCase(trial.mona, { properties: { site: 'lyon' } }), 'action.forbidden');
    expectProblem(await makeCase(trial.mona, {}), 'action.forbidden');
    expect(created(await makeCase(trial.owner, {}))).not.toHaveProperty('properties');
  });

  test('are found again by a repeat with the same properties', async () => {
    const identifier = 'cafe'.padEnd(32, '1');
    const body = { identifier, properties: { ward: 'day', site: 'paris' } };
    expect((await makeCase(trial.owner, body)).status).toBe(201);
    const turned = { identifier, properties: { site: 'paris', ward: 'day' } };
    expect(await makeCase(trial.owner, turned)).toMatchObject({ status: 200, body: { identifier } });
    for (const properties of [{ site: 'paris' }, undefined])
      expectProblem(await makeCase(trial.owner, { identifier, properties }), 'identifier.taken');
    const filled = { identifier: 'cafe'.padEnd(32, '2') };
    expect((await makeCase(trial.bruno, filled)).status).toBe(201);
    expect((await makeCase(trial.bruno, filled)).status).toBe(200);
    // Bruno does not see it any more, and does not learn of it.
    await trial.owner.patch(`/case/${filled.identifier}`, { properties: { site: 'paris' } });
    expectProblem(await makeCase(trial.bruno, filled), 'identifier.taken');
  });

  test('change their group by a merge patch, with a revision and a change of the feed', async () => {
    const night = await newCase(trial, trial.chidi);
    const before = (await trial.owner.get(`/case/${night}`)).body;
    const { latest } = (await trial.owner.get(`/investigation/${trial.id}/changes`)).body;
    const patch = (by: Person, properties: object) => by.patch(`/case/${night}`, { properties });
    expect((await patch(trial.owner, { site: 'lyon' })).body).toEqual(before);
    const moved = (await patch(trial.owner, { site: 'paris', ward: 'day' })).body;
    expect(moved.properties).toEqual({ site: 'paris', ward: 'day' });
    expect(moved.revisionIdentifier).not.toBe(before.revisionIdentifier);
    const { changes } = (await trial.owner.get(`/investigation/${trial.id}/changes?after=${latest}`)).body;
    expect(changes).toMatchObject([{ kind: 'case', identifier: night }]);
    expectProblem(await trial.bruno.get(`/case/${night}`), 'resource.not-found');
    expect((await patch(trial.owner, { ward: null })).body.properties).toEqual({ site: 'paris' });
    expect((await patch(trial.owner, { site: null })).body).not.toHaveProperty('properties');
  });

  test('leave no part by the hands of those who see that part only', async () => {
    const night = await newCase(trial, trial.chidi);
    const patch = (by: Person, properties: object) => by.patch(`/case/${night}`, { properties });
    for (const value of ['paris', null])
      expectProblem(await changingNothing(() => patch(trial.bruno, { site: value })), 'action.forbidden');
    expect((await patch(trial.bruno, { site: 'lyon', ward: 'night' })).body.properties).toEqual({
      site: 'lyon',
      ward: 'night',
    });
    expectProblem(await changingNothing(() => patch(trial.chidi, { ward: 'day' })), 'action.forbidden');
    expectProblem(await changingNothing(() => patch(trial.mona, { ward: 'day' })), 'action.forbidden');
    expectProblem(await changingNothing(() => patch(trial.owner, { site: 'rome' })), 'request.invalid', [
      '/properties/site',
    ]);
  });

  test('have a column for each property', async () => {
    await newCase(trial, trial.chidi);
    const table = async (by: Person, name = 'cases') =>
      tableOf((await by.get(`/investigation/${trial.id}/${name}`, csv)).text);
    expect(await table(trial.owner)).toMatchObject([{ 'property.site': 'lyon', 'property.ward': '' }]);
    expect(await table(trial.bruno)).toMatchObject([{ 'property.site': 'lyon', 'property.ward': '' }]);
    expect(Object.keys((await table(trial.chidi))[0] ?? {})).not.toContain('property.site');
  });
});

describe('responses', () => {
  test('are of the site of their case, with its properties, and nobody is named whom their reader does not see', async () => {
    const [night, other] = [await newCase(trial, trial.chidi), await newCase(trial, trial.dana)];
    await trial.owner.patch(`/investigation/${trial.id}/member/${trial.dana.id}`, { code: 'P-9' });
    const own = await newResponse(trial, trial.chidi, night);
    later(1);
    const hers = await newResponse(trial, trial.dana, night);
    later(1);
    const elsewhere = await newResponse(trial, trial.chidi, other);
    for (const by of [trial.bruno, trial.mona]) {
      const [first, second, ...more] = await listed(by, 'responses');
      expect(more).toEqual([]);
      expect(first).toMatchObject({
        identifier: own,
        responder: trial.chidi.id,
        name: 'Chidi',
        properties: { site: 'lyon' },
      });
      expect(second).toMatchObject({ identifier: hers, responder: '0'.repeat(32), name: '' });
      expect(second).not.toHaveProperty('code');
      const single = await by.get(`/response/${hers}`);
      expect(single.body).toMatchObject({
        responder: `/user/${'0'.repeat(32)}`,
        properties: { site: 'lyon' },
      });
      const { text } = await by.get(`/response/${hers}/revisions`);
      const table = (await by.get(`/investigation/${trial.id}/responses`, csv)).text;
      expect(tableOf(table)).toMatchObject([
        { name: 'Chidi', 'property.site': 'lyon' },
        { name: '', code: '' },
      ]);
      for (const told of [text, table, single.text, JSON.stringify(second)]) {
        expect(told).not.toContain(trial.dana.id);
        expect(told).not.toContain('P-9');
      }
      for (const query of [`?responder=${trial.dana.id}`, '?code=P-9', `?case=${other}`])
        expect(await found(by, 'responses', query)).toEqual([]);
      expect(await found(by, 'responses', `?responder=${trial.chidi.id}`)).toEqual([own]);
      for (const path of ['', '/revisions'])
        expectProblem(await by.get(`/response/${elsewhere}${path}`), 'resource.not-found');
    }
    expect(await found(trial.owner, 'responses', '?code=P-9')).toEqual([hers]);
    expect(await found(trial.owner, 'responses', '?property=site:paris')).toEqual([elsewhere]);
    expect(await found(trial.owner, 'responses', `?property=site:lyon&responder=${trial.dana.id}`)).toEqual([
      hers,
    ]);
    expect((await trial.chidi.get(`/response/${own}`)).body).not.toHaveProperty('properties');
    expect((await listed(trial.chidi, 'responses'))[0]).not.toHaveProperty('properties');
  });

  test('are counted in the log as their reader sees them', async () => {
    const [night, other] = [await newCase(trial, trial.chidi), await newCase(trial, trial.dana)];
    for (const of of [night, other, other]) await newResponse(trial, trial.chidi, of);
    for (const [by, query, count] of [
      [trial.mona, '', 1],
      [trial.mona, `&responder=${trial.dana.id}`, 0],
      [trial.owner, '', 3],
      [trial.owner, '&property=site:paris', 2],
    ] as const) {
      await by.get(`/investigation/${trial.id}/responses?limit=1${query}`, csv);
      expect(await exportedCount()).toBe(count);
    }
  });

  test('of another site cannot be changed', async () => {
    const other = await newCase(trial, trial.dana);
    const answer = await newResponse(trial, trial.dana, other);
    expectProblem(
      await changingNothing(() => trial.bruno.patch(`/response/${answer}`, { items: { q1: 'x' } })),
      'resource.not-found',
    );
    expectProblem(
      await changingNothing(() => lock(trial.mona, trial, { responses: [answer] })),
      'items.not-found',
    );
  });

  test('are sent anew to those who have an answer from before their case changed its group', async () => {
    const night = await newCase(trial, trial.chidi);
    const answer = await newResponse(trial, trial.dana, night);
    const know = async (by = trial.owner) => {
      const { headers } = await by.get(`/response/${answer}`);
      return by.get(`/response/${answer}`, { 'if-none-match': headers.get('etag') ?? '' });
    };
    expect((await know()).status).toBe(304);
    const known = {
      'if-none-match': (await trial.owner.get(`/response/${answer}`)).headers.get('etag') ?? '',
    };
    later(1000);
    await trial.owner.patch(`/case/${night}`, { properties: { site: 'paris' } });
    expect(await trial.owner.get(`/response/${answer}`, known)).toMatchObject({
      status: 200,
      body: { properties: { site: 'paris' } },
    });
    expect((await know(trial.dana)).status).toBe(304);
  });

  test('that an editor corrects move the dates of the person whom the editor does not see', async () => {
    await trial.owner.patch(`/investigation/${trial.id}`, { dates: ['surgery'] });
    const items = [{ identifier: 'when', label: 'When?', answer: { kind: 'date', sets: 'surgery' } }];
    const survey = created(
      await trial.owner.post(`/investigation/${trial.id}/survey`, { name: 'Visit', items }),
    ).identifier;
    const night = await newCase(trial, trial.chidi);
    const given = await trial.dana.post(`/survey/${survey}/response`, {
      case: night,
      items: { when: '2027-03-08' },
    });
    const changed = await trial.bruno.patch(`/response/${responseIn(given)}`, {
      items: { when: '2027-03-09' },
    });
    expect(changed.body).toMatchObject({
      responder: `/user/${'0'.repeat(32)}`,
      items: { when: '2027-03-09' },
    });
    const { members } = (await trial.owner.get(`/investigation/${trial.id}/members`)).body;
    const dana = members.find(({ identifier }: { identifier: string }) => identifier === trial.dana.id);
    expect(dana.dates).toEqual({ surgery: '2027-03-09' });
  });

  test('that are locked by somebody of another site name nobody', async () => {
    const night = await newCase(trial, trial.chidi);
    const answer = await newResponse(trial, trial.dana, night);
    await trial.owner.patch(`/investigation/${trial.id}/member/${trial.dana.id}`, { code: 'P-9' });
    expect((await lock(trial.dana, trial, { responses: [answer] })).status).toBe(204);
    const lockOf = async (by: Person) => [
      (await listed(by, 'responses', '?include=lock'))[0].lock,
      (await by.get(`/response/${answer}?include=lock`)).body.lock,
    ];
    for (const shown of await lockOf(trial.owner))
      expect(shown).toMatchObject({ actor: trial.dana.id, code: 'P-9' });
    for (const shown of await lockOf(trial.bruno)) {
      expect(shown).toMatchObject({ actor: '0'.repeat(32), actorName: '' });
      expect(shown).not.toHaveProperty('code');
    }
    const signature = { name: 'Dana', meaning: 'I have seen it.', at: '2027-03-01T08:00:00.000Z' };
    await env.DB.prepare(
      "update activity set signature = ?1 where investigation_id = ?2 and action = 'items.locked'",
    )
      .bind(JSON.stringify(signature), trial.id)
      .run();
    const paths = [
      `/response/${answer}`,
      `/investigation/${trial.id}/responses`,
      `/investigation/${trial.id}/changes?include=body`,
    ];
    for (const path of paths) {
      expect((await trial.owner.get(path)).text).toContain(signature.meaning);
      expect((await trial.bruno.get(path)).text).not.toContain(signature.meaning);
    }
  });

  test('are counted by their values within the part, or by a property', async () => {
    const items = [{ identifier: 'q1', label: 'Well?', answer: { kind: 'yes-no' } }];
    const survey = await newSurvey(trial, { items });
    const [night, other] = [await newCase(trial, trial.chidi), await newCase(trial, trial.dana)];
    for (const [of, q1] of [
      [night, 'yes'],
      [other, 'yes'],
      [other, 'no'],
    ] as const)
      await newResponse({ survey }, trial.chidi, of, { q1 });
    const counts = async (by: Person, query = '') => {
      const { responses, items, complete } = (await by.get(`/survey/${survey}/answer-counts${query}`)).body;
      expect(complete).toBe(true);
      return [responses, items.q1];
    };
    expect(await counts(trial.owner)).toEqual([3, { yes: 2, no: 1 }]);
    expect(await counts(trial.owner, '?property=site:paris')).toEqual([2, { yes: 1, no: 1 }]);
    for (const by of [trial.bruno, trial.mona]) {
      expect(await counts(by)).toEqual([1, { yes: 1 }]);
      expect(await counts(by, '?property=site:paris')).toEqual([0, {}]);
    }
    expectProblem(
      await trial.bruno.get(`/survey/${survey}/answer-counts?property=arm:b`),
      'request.invalid',
      ['?property'],
    );
  });
});

describe('what belongs to a survey for a blinded arm', () => {
  let survey: string;
  let night: string;
  let answer: string;
  let erik: Person;

  beforeEach(async () => {
    erik = await newMember(world, trial, 'Erik', 'editor');
    await declare(trial, site, ward, blindedArm);
    const items = [
      {
        identifier: 'dose',
        label: 'Dose?',
        answer: { kind: 'choices', options: [{ value: 'low', label: 'Low' }] },
      },
    ];
    survey = await newSurvey(trial, { name: 'Drug', items, for: { arm: ['b'] } });
    await regroup(trial, trial.chidi, { arm: 'b' });
    night = await newCase(trial, trial.chidi);
    answer = await newResponse({ survey }, trial.chidi, night, { dose: 'low' });
    await newResponse(trial, trial.chidi, night);
  });

  test('is shown to owners, and its participants see it as theirs', async () => {
    for (const by of [trial.owner, trial.chidi]) {
      expect(await found(by, 'responses', `?survey=${survey}`)).toEqual([answer]);
      expect((await by.get(`/response/${answer}`)).status).toBe(200);
    }
    const { text } = await trial.owner.get(`/investigation/${trial.id}/responses`, csv);
    expect(text).toContain('items.dose');
    expect((await trial.owner.get(`/survey/${survey}/answer-counts`)).body.responses).toBe(1);
    expect((await trial.owner.get(`/investigation/${trial.id}/codebook`)).text).toContain('Dose?');
  });

  test('has no column for participants whom it is not for', async () => {
    const table = async (by: Person) => (await by.get(`/investigation/${trial.id}/responses`, csv)).text;
    expect(await table(trial.chidi)).toContain('items.dose');
    expect(await table(trial.dana)).not.toContain('dose');
  });

  test('is nowhere for other staff, be it all of the study that they see or a part', async () => {
    for (const by of [erik, trial.bruno, trial.mona]) {
      expect(await listed(by, 'responses')).toHaveLength(1);
      expect(await listed(by, 'responses', `?survey=${survey}`)).toEqual([]);
      expect(await listed(by, 'responses', '?property=site:lyon')).toHaveLength(1);
      await by.get(`/investigation/${trial.id}/responses?limit=1`, csv);
      expect(await exportedCount()).toBe(1);
      for (const path of ['', '/revisions'])
        expectProblem(await by.get(`/response/${answer}${path}`), 'resource.not-found');
      expectProblem(await by.get(`/survey/${survey}/answer-counts`), 'resource.not-found');
      expectProblem(await changingNothing(() => lock(by, trial, { responses: [answer] })), 'items.not-found');
      for (const query of ['', `?survey=${survey}`, `?survey=${survey}&choices=columns`]) {
        const { text } = await by.get(`/investigation/${trial.id}/responses${query}`, csv);
        expect(text).not.toMatch(/dose|low/);
      }
      const { status, text } = await by.get(`/investigation/${trial.id}/codebook`);
      expect(status).toBe(200);
      expect(text).not.toMatch(/[dD]ose|Drug/);
    }
    for (const by of [erik, trial.bruno])
      expectProblem(
        await changingNothing(() => by.patch(`/response/${answer}`, { items: { dose: '' } })),
        'resource.not-found',
      );
  });

  test('has a name and values that only owners know', async () => {
    const texts = await Promise.all(
      [erik, trial.bruno].map(async (by) => {
        for (const path of [`/case/${night}`, `/investigation/${trial.id}/cases`, `/response/${answer}`])
          expect((await by.get(path)).text).not.toContain('arm');
        const table = (await by.get(`/investigation/${trial.id}/cases`, csv)).text;
        expect(table).not.toContain('arm');
        const filtered = await by.get(`/investigation/${trial.id}/cases?property=arm:b`);
        expectProblem(filtered, 'request.invalid', ['?property']);
        expect(filtered.body.errors).toEqual(
          (await by.get(`/investigation/${trial.id}/cases?property=colour:b`)).body.errors,
        );
        const patched = await by.patch(`/case/${night}`, { properties: { arm: 'a' } });
        expectProblem(patched, 'request.invalid', ['/properties/arm']);
        return patched.text;
      }),
    );
    for (const text of texts) expect(text).not.toMatch(/blind/);
    const shown = (await trial.owner.get(`/case/${night}`)).body.properties;
    expect(shown).toEqual({ arm: 'b', site: 'lyon' });
    const table = (await trial.owner.get(`/investigation/${trial.id}/cases`, csv)).text;
    expect(tableOf(table)).toMatchObject([{ 'property.arm': 'b', 'property.site': 'lyon' }]);
    // An editor who changes the rest leaves the arm as it is.
    await erik.patch(`/case/${night}`, { properties: { ward: 'day' } });
    expect((await trial.owner.get(`/case/${night}`)).body.properties).toEqual({
      arm: 'b',
      site: 'lyon',
      ward: 'day',
    });
  });
});

test('a page of a part is short, and its next one goes on behind what it looked at', async () => {
  const own = await newCase(trial, trial.chidi);
  // 5,001 cases of Paris stand between two of Lyon.
  await env.DB.prepare(
    `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < 5000)
    insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id, properties)
    select 'feed' || printf('%028x', n), ?1, ?2, 'Night', 0, '{}', ?3 + n, ?3 + n, 'feed' || printf('%028x', n), '{"site":["paris"]}' from counter`,
  )
    .bind(trial.id, trial.dana.id, startOfTests + 1)
    .run();
  setClock(startOfTests + 100_000);
  const last = await newCase(trial, trial.chidi);
  const sizes: number[] = [];
  const [all, ends] = [[] as string[], [] as unknown[]];
  for await (const { body } of linkedPages(trial.bruno, `/investigation/${trial.id}/cases?limit=3`)) {
    sizes.push(body.cases.length);
    all.push(...identifiers(body.cases));
    ends.push(keyIn({ body } as Answer));
  }
  expect(all).toEqual([own, last]);
  expect(sizes).toEqual([1, 1]);
  // The 4,999th case of Paris is `feed…01386`: its end is not told.
  expect(ends).toEqual([[startOfTests + 4_999, 'feed'.padEnd(32, '0')], undefined]);
  expect(await found(trial.bruno, 'cases')).toEqual([own, last]);
  expect(await found(trial.owner, 'cases', '?property=site:lyon')).toEqual([own, last]);
  await trial.bruno.get(`/investigation/${trial.id}/cases`, csv);
  expect(await exportedCount()).toBe(2);
});

test('the end of a page of responses names none out of the part, and goes on from there', async () => {
  const [night, other] = [await newCase(trial, trial.chidi), await newCase(trial, trial.dana)];
  const first = await newResponse(trial, trial.chidi, night);
  const danas = await seedAnswers(trial.survey, trial.dana, other);
  const last = await newResponse(trial, trial.chidi, night);
  const pages = await allPages(trial.bruno, `/investigation/${trial.id}/responses?limit=3`);
  expect(pages.map(({ body }) => identifiers(body.responses))).toEqual([[first], [last]]);
  expect(pages.map(keyIn)).toEqual([[expect.any(Number), danas.padEnd(32, '0')], undefined]);
});

test('the end of a page that is the last of its rows is that row', async () => {
  const prefix = await seedAnswers(trial.survey, trial.chidi, await newCase(trial, trial.chidi));
  await env.DB.prepare(
    `update response set case_id = 'gone' where investigation_id = ? and substr(id, -4) <> '1387'`,
  )
    .bind(trial.id)
    .run();
  const { body } = await trial.bruno.get(`/investigation/${trial.id}/responses?limit=3`);
  const shown = `${prefix}${'1387'.padStart(24, '0')}`;
  expect(identifiers(body.responses)).toEqual([shown]);
  expect(keyIn({ body } as Answer)).toEqual([expect.any(Number), shown]);
});

test('rows of one instant whose identifiers begin alike are passed, and each is listed once', async () => {
  const night = await newCase(trial, trial.chidi);
  const first = await newResponse(trial, trial.chidi, night);
  await seedAnswers(trial.survey, trial.dana, await newCase(trial, trial.dana), { count: 11_000, apart: 0 });
  const last = await newResponse(trial, trial.chidi, night);
  const pages = await allPages(trial.bruno, `/investigation/${trial.id}/responses?limit=5`);
  expect(pages.flatMap(({ body }) => identifiers(body.responses))).toEqual([first, last]);
  expect(pages).toHaveLength(4);
});

test('answers to a survey for a blinded arm make no page of other staff shorter', async () => {
  const erik = await newMember(world, trial, 'Erik', 'editor');
  await declare(trial, site, ward, blindedArm);
  const survey = await newSurvey(trial, { name: 'Drug', for: { arm: ['b'] } });
  const night = await newCase(trial, trial.chidi);
  const first = await newResponse(trial, trial.chidi, night);
  await seedAnswers(survey, trial.chidi, night);
  const last = await newResponse(trial, trial.chidi, night);
  for (const by of [erik, trial.bruno, trial.mona])
    for (const query of ['', '&property=site:lyon', `&case=${night}`, `&responder=${trial.chidi.id}`]) {
      const { body } = await by.get(`/investigation/${trial.id}/responses?limit=3${query}`);
      expect(identifiers(body.responses), query).toEqual([first, last]);
      expect(body.next).toBeUndefined();
    }
  const { body } = await erik.get(`/investigation/${trial.id}/responses?survey=${survey}`);
  expect(body).toMatchObject({ responses: [] });
  expect(body.next).toBeUndefined();
  // Owners find them by a filter, too.
  const asked = `/investigation/${trial.id}/responses?limit=1000&property=site:lyon`;
  const pages = await allPages(trial.owner, asked);
  expect(pages.flatMap(({ body: page }) => page.responses)).toHaveLength(5_003);
});

let seeds = 0;

/** Responses of somebody past the front door, `apart` ms from each other, and it is later then. Returns the beginning of their identifiers. */
async function seedAnswers(survey: string, by: Person, of: string, { count = 5_001, apart = 1 } = {}) {
  later(1);
  const prefix = `feed${String(++seeds).padStart(4, '0')}`;
  await env.DB.prepare(
    `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < ?1 - 1)
    insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
    select '${prefix}' || printf('%024x', n), ?2, ?3, ?4, ?5, '{}', '{}', ?6 + n * ?7, ?6 + n * ?7, '${prefix}' || printf('%024x', n)
    from counter`,
  )
    .bind(count, trial.id, survey, of, by.id, Date.now(), apart)
    .run();
  later(60 * 60_000);
  return prefix;
}
