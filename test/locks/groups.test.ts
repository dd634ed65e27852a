import { describe, expect, test } from 'vitest';
import { type Answer, created, type Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { later, minutes, setClock } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { lockedWorld } from '../support/worker/locked-worlds.ts';
import { readLog } from '../support/worker/logs.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { declareSites, newTrial, setCase, setProperties, setScope } from '../support/worker/trials.ts';
import { newPhone, send, tokenOf } from '../support/worker/world.ts';
import { freezeTries } from './support/freeze-tries.ts';

const match = ({ id }: Pick<Study, 'id'>, by: Person, filter: object = {}, more: object = {}) =>
  by.post(`/investigation/${id}/lock-matching`, { status: 'locked', filter, ...more });

const freeze = ({ id }: Pick<Study, 'id'>, by: Person, properties?: object, status = 'frozen') =>
  by.post(`/investigation/${id}/freeze`, {
    status,
    reason: 'Final analysis',
    ...(properties && { properties }),
  });

const stateOf = async ({ id }: Pick<Study, 'id'>, by: Person) => (await by.get(`/investigation/${id}`)).body;

/** Responses of Lyon and Paris to both surveys. */
async function withResponses(isBlinded = false) {
  const trial = await newTrial({ isBlinded });
  const { responder, other, armSurvey: visit3, lyon, paris } = trial;
  return {
    ...trial,
    visit3,
    lyonDiary: await newResponse(trial, responder, lyon),
    lyonVisit: isBlinded ? '' : await newResponse({ survey: visit3 }, responder, lyon),
    parisDiary: await newResponse(trial, other, paris),
    parisVisit: await newResponse({ survey: visit3 }, other, paris),
  };
}

describe('lock-matching', () => {
  test("locks site Lyon's visit 3, and its entry says so", async () => {
    const trial = await withResponses();
    const { owner, visit3, lyonVisit } = trial;
    const filter = { survey: visit3, properties: { site: ['lyon'] } };
    expect((await match(trial, owner, filter, { dryRun: true })).body).toEqual({ cases: 0, responses: 1 });
    const { activity, ...counts } = (await match(trial, owner, filter, { reason: 'Visit 3 is over' })).body;
    expect(counts).toEqual({ cases: 0, responses: 1 });
    const [entry] = (await readLog(trial, owner)).slice(-1);
    expect(entry).toMatchObject({ identifier: activity, action: 'items.locked', details: { filter } });
    expect(entry.details).not.toHaveProperty('scope');
    const { responses } = (await owner.get(`/investigation/${trial.id}/responses`)).body;
    const locked = responses.filter((one: { lockedAt?: string }) => one.lockedAt);
    expect(locked.map(({ identifier }: { identifier: string }) => identifier)).toEqual([lyonVisit]);
  });

  test('finds those with one of the values of each name', async () => {
    const trial = await withResponses(true);
    const { owner } = trial;
    for (const [properties, cases] of [
      [{ site: ['lyon', 'paris'] }, 2],
      [{ site: ['paris'] }, 1],
      [{ site: ['lyon', 'paris'], arm: ['b'] }, 1],
      [{ site: ['lyon'], arm: ['b'] }, 0],
    ] as const)
      expect((await match(trial, owner, { properties }, { dryRun: true })).body.cases).toBe(cases);
  });

  test("is bounded by the caller's part of the study, and its entry says by which", async () => {
    const trial = await withResponses();
    const { owner, mona, eli, paris, parisVisit } = trial;
    expect((await match(trial, mona, { properties: { site: ['paris'] } }, { dryRun: true })).body).toEqual({
      cases: 0,
      responses: 0,
    });
    expect((await match(trial, eli, { kinds: ['cases'] }, { dryRun: true })).body.cases).toBe(1);
    expect((await match(trial, mona)).body).toMatchObject({ cases: 1, responses: 2 });
    const [entry] = (await readLog(trial, owner)).slice(-1);
    expect(entry).toMatchObject({ actor: mona.id, details: { filter: {}, scope: { site: ['lyon'] } } });
    expect((await owner.get(`/case/${paris}`)).body).not.toHaveProperty('lockedAt');
    await changingNothing(async () => {
      expectProblem(await lock(mona, trial, { cases: [paris] }), 'items.not-found', ['/cases/0/identifier']);
      expectProblem(await lock(mona, trial, { responses: [parisVisit] }), 'items.not-found');
    });
  });

  test('finds nothing of a person or a case that the caller does not see', async () => {
    const trial = await withResponses();
    const { owner, mona, responder, other, lyon, paris } = trial;
    // Dana of Paris answers for a case of Lyon: Mona sees the answer, and not whose it is.
    const hers = await newResponse(trial, other, lyon);
    expect((await mona.get(`/response/${hers}`)).body.responder).not.toContain(other.id);
    const nothing = { cases: 0, responses: 0 };
    const never = 'ab'.repeat(16);
    await changingNothing(async () => {
      for (const filter of [{ responder: other.id }, { responder: never }, { case: paris }, { case: never }])
        for (const dryRun of [true, false]) {
          expect((await match(trial, mona, filter, { dryRun })).body).toEqual(nothing);
          const both = { ...filter, properties: { site: ['lyon'] } };
          expect((await match(trial, mona, both, { dryRun })).body).toEqual(nothing);
        }
    });
    const dry = { dryRun: true };
    expect((await match(trial, mona, { responder: responder.id }, dry)).body.responses).toBe(2);
    expect((await match(trial, mona, { case: lyon }, dry)).body).toEqual({ cases: 1, responses: 3 });
    expect((await match(trial, owner, { responder: other.id }, dry)).body.responses).toBe(3);
    // A participant finds their own, staff with a scope those of staff and of their part.
    expect((await match(trial, other, { responder: other.id }, dry)).body.responses).toBe(3);
    expect((await match(trial, trial.eli, { responder: other.id }, dry)).body.responses).toBe(2);
    expect((await match(trial, trial.eli, { case: paris }, dry)).body.responses).toBe(2);
  });

  test('knows arms for owners alone; for all others they are names like any other', async () => {
    const trial = await withResponses(true);
    const { owner, editor, mona, responder } = trial;
    const by = (properties: object) => ({ properties });
    await changingNothing(async () => {
      for (const person of [editor, mona]) {
        const [arm, other] = [
          await match(trial, person, by({ arm: ['b'] })),
          await match(trial, person, by({ leg: ['b'] })),
        ];
        expectProblem(arm, 'request.invalid', ['/filter/properties/arm']);
        expect(arm.text.replaceAll('arm', 'leg')).toBe(other.text);
      }
      expectProblem(await match(trial, responder, by({ site: ['lyon'] })), 'request.invalid', [
        '/filter/properties/site',
      ]);
      expectProblem(await match(trial, owner, by({ site: ['rome'] })), 'request.invalid');
      expectProblem(await match(trial, owner, by({})), 'request.invalid', ['/filter/properties']);
      expectProblem(await match(trial, owner, by({ site: [] })), 'request.invalid');
    });
    // An editor locks and counts what they see: no response to the survey of an arm.
    const seen = (await match(trial, editor, {}, { dryRun: true })).body;
    expect(seen).toEqual({ cases: 2, responses: 2 });
    expect((await match(trial, owner, {}, { dryRun: true })).body.responses).toBe(3);
    expect((await match(trial, owner, by({ arm: ['b'] }))).body).toMatchObject({ cases: 1, responses: 2 });
    const [entry] = (await readLog(trial, editor)).slice(-1);
    expect(entry).toMatchObject({ action: 'items.locked', actor: owner.id, redacted: true });
    expect(entry).not.toHaveProperty('details');
  });
});

describe('a frozen group', () => {
  test('is shown to staff whom it concerns, and logged once', async () => {
    const trial = await newTrial();
    const { owner, editor, mona, eli, responder } = trial;
    const lyon = { site: ['lyon'] };
    expect((await freeze(trial, owner, lyon)).status).toBe(204);
    later(minutes);
    expect((await freeze(trial, owner, lyon)).status).toBe(204);
    for (const person of [owner, editor, mona]) {
      expect((await stateOf(trial, person)).frozenGroups).toEqual([lyon]);
      expect((await person.get('/investigation')).body.investigations[0].frozenGroups).toEqual([lyon]);
    }
    for (const person of [eli, responder])
      expect(await stateOf(trial, person)).not.toHaveProperty('frozenGroups');
    expect(await stateOf(trial, owner)).not.toHaveProperty('frozenAt');
    expect((await freeze(trial, owner, { site: ['paris', 'lyon'] })).status).toBe(204);
    expect((await freeze(trial, owner, { site: ['lyon', 'paris'] }, 'active')).status).toBe(204);
    expect((await freeze(trial, owner, lyon, 'active')).status).toBe(204);
    expect(await stateOf(trial, owner)).not.toHaveProperty('frozenGroups');

    const entries = (await readLog(trial, owner)).slice(-4);
    const details = (isFrozen: boolean, properties: object) => ({
      ...{ properties, before: { frozen: !isFrozen }, after: { frozen: isFrozen } },
    });
    expect(entries).toMatchObject([
      { action: 'study.frozen', reason: 'Final analysis', details: details(true, lyon) },
      { action: 'study.frozen' },
      { action: 'study.unfrozen' },
      { action: 'study.unfrozen', details: details(false, lyon) },
    ]);
    const [first] = (await readLog(trial, eli)).slice(-4);
    expect(first).toMatchObject({ action: 'study.frozen', redacted: true });
    expect(first).not.toHaveProperty('details');
    expect(first).not.toHaveProperty('reason');
    const [shown] = (await readLog(trial, mona)).slice(-4);
    expect(shown).toMatchObject({ action: 'study.frozen', details: details(true, lyon) });
  });

  test('is named by an owner, by properties that are declared and not blinded', async () => {
    const trial = await newTrial();
    const { owner, editor, mona } = trial;
    await changingNothing(async () => {
      for (const person of [editor, mona])
        expectProblem(await freeze(trial, person, { site: ['lyon'] }), 'action.forbidden');
      for (const [group, pointer] of [
        [{ arm: ['b'] }, '/properties/arm'],
        [{ site: ['rome'] }, '/properties/site'],
        [{ leg: ['left'] }, '/properties/leg'],
        [{}, '/properties'],
      ] as const)
        expectProblem(await freeze(trial, owner, group), 'request.invalid', [pointer]);
    });
  });

  test('refuses on every route what a frozen study refuses of its items, and says which group', async () => {
    const world = await lockedWorld();
    const { study, openCase, setAside } = world;
    await declareSites(study);
    // Cases that their participant made move along.
    await setProperties(study, study.responder, { site: 'lyon' });
    await freeze(study, study.owner, { site: ['lyon'] });
    const call = (by: Person, [method]: string[], path: string, body: unknown) =>
      method === 'PATCH' ? by.patch(path, body) : by.post(path, body);
    const free = ['POST /investigation/:id/survey', 'PATCH /survey/:id', 'POST /investigation/:id/case'];
    const tries = Object.entries(freezeTries).map(([route, request]) => ({ route, request: request(world) }));
    for (const { route, request } of tries.filter(({ route }) => !free.includes(route))) {
      const refused = await changingNothing(() => call(study.owner, route.split(' '), ...request));
      expectProblem(refused, 'study.frozen');
      expect(refused.body.detail, route).toContain('site: lyon');
    }
    const others: [string, object][] = [
      [`/set-aside/${setAside}/place`, { case: openCase }],
      [`/set-aside/${setAside}/discard`, {}],
    ];
    for (const [path, body] of others) {
      const refused = await changingNothing(() => study.editor.post(path, body));
      expectProblem(refused, 'study.frozen');
      expect(refused.body.detail).toContain('site: lyon');
    }
    // Responders know of no properties.
    const answer = { case: openCase, items: { q1: 'new' } };
    const answers = [
      await study.responder.post(`/survey/${study.survey}/response`, answer),
      await study.responder.patch(`/case/${openCase}`, { label: 'Mine' }),
      await lock(study.responder, study, { cases: [openCase] }),
    ];
    for (const refused of answers) {
      expectProblem(refused, 'study.frozen');
      expect(refused.text).not.toMatch(/site|lyon/);
    }
    for (const { route, request } of tries.filter(({ route }) => free.includes(route)))
      expect((await call(study.owner, route.split(' '), ...request)).status, route).toBeLessThan(300);

    await freeze(study, study.owner, { site: ['lyon'] }, 'active');
    expect((await study.responder.post(`/survey/${study.survey}/response`, answer)).status).toBe(201);
  });

  test('sets no answer aside, while the rest of the study goes on', async () => {
    const trial = await withResponses();
    const { owner, editor, responder, other, lyon, paris, lyonDiary, parisDiary } = trial;
    const at = new Date(Date.now()).toISOString();
    later(minutes);
    const elsewhere = { case: lyon, items: { q1: 'late' }, at };
    await owner.patch(`/survey/${trial.survey}`, { status: 'archived' });
    await freeze(trial, owner, { site: ['lyon'] });
    const path = `/survey/${trial.survey}/response`;
    await changingNothing(async () =>
      expectProblem(
        await responder.post(path, { ...elsewhere, identifier: 'ab'.repeat(16) }),
        'study.frozen',
      ),
    );
    const kept = await other.post(path, { ...elsewhere, case: paris, identifier: 'cd'.repeat(16) });
    expect(kept.status).toBe(202);
    expect((await lock(editor, trial, { cases: [paris], responses: [parisDiary] })).status).toBe(204);
    await changingNothing(async () => {
      for (const items of [{ cases: [lyon] }, { cases: [paris], responses: [lyonDiary] }])
        expectProblem(await lock(editor, trial, items, 'locked'), 'study.frozen');
      expectProblem(await match(trial, editor), 'study.frozen');
    });
    expect((await match(trial, editor, { properties: { site: ['paris'] } })).status).toBe(200);
    expect((await match(trial, trial.eli)).status).toBe(200);
    expect((await other.post(`/investigation/${trial.id}/case`, { label: 'Night 2' })).status).toBe(201);
  });

  test('reminds nobody of it, and everybody else', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, responder, other } = trial;
    await owner.patch(`/survey/${trial.survey}`, { reminders: daily });
    for (const person of [responder, other]) {
      await newPhone(person);
      await pendingOf(person);
    }
    await freeze(trial, owner, { site: ['lyon'] });
    const upcoming = async (person: Person) =>
      (await person.get(`/survey/${trial.survey}/reminders/upcoming?count=1`)).body.occurrences[0];
    expect((await upcoming(responder)).note).toMatch(/frozen/);
    expect(await upcoming(other)).not.toHaveProperty('note');
    setClock('2027-03-01T20:30:01.000Z');
    for (const person of [responder, other]) await ring(person);
    expect((await history(responder))[1]).toMatchObject({ state: 'skipped', reason: 'study-frozen' });
    expect((await history(other))[1]).toMatchObject({ state: 'sent' });
    await freeze(trial, owner, { site: ['lyon'] }, 'active');
    setClock('2027-03-02T20:30:01.000Z');
    await ring(responder);
    expect((await history(responder))[1]).toMatchObject({ on: '2027-03-02', state: 'sent' });
  });

  test('neither loses nor gains a case', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, responder, other, lyon, paris } = trial;
    await freeze(trial, owner, { site: ['lyon'] });
    await changingNothing(async () => {
      const refused = [
        await setCase(trial, lyon, { site: 'paris' }),
        await setCase(trial, lyon, { site: null }),
        await setCase(trial, paris, { site: 'lyon' }),
        await owner.patch(`/investigation/${trial.id}/member/${responder.id}`, {
          properties: { site: 'paris' },
        }),
        await owner.patch(`/investigation/${trial.id}/member/${other.id}`, { properties: { site: 'lyon' } }),
        await owner.post(`/investigation/${trial.id}/members/dates`, {
          members: [{ user: other.id, properties: { site: 'lyon' } }],
        }),
        await owner.post(`/investigation/${trial.id}/case`, { label: 'New', properties: { site: 'lyon' } }),
      ];
      for (const answer of refused) {
        expectProblem(answer, 'study.frozen');
        expect(answer.body.detail).toContain('site: lyon');
      }
      const own = await responder.post(`/investigation/${trial.id}/case`, { label: 'Mine' });
      expectProblem(own, 'study.frozen');
      expect(own.text).not.toMatch(/site|lyon/);
    });
    expect((await setCase(trial, paris, { site: null })).status).toBe(200);
  });

  test('is frozen or not for a lock that is under way, never both', async () => {
    const trial = await withResponses();
    const { owner, lyon, lyonDiary } = trial;
    const items = { cases: [{ identifier: lyon }], responses: [{ identifier: lyonDiary }] };
    for (const [path, body] of [
      ['lock-items', { ...items, status: 'locked' }],
      ['delete-items', { ...items, status: 'deleted' }],
      ['lock-matching', { status: 'locked', filter: {} }],
    ] as const) {
      const { send } = newApp({ db: interruptedDb(() => freeze(trial, owner, { site: ['lyon'] })) });
      const refused = await send(`/investigation/${trial.id}/${path}`, {
        method: 'POST',
        token: owner.token,
        body,
      });
      expectProblem(refused, 'study.frozen');
      expect(refused.body.detail).toContain('site: lyon');
      await freeze(trial, owner, { site: ['lyon'] }, 'active');
    }
  });

  test('is one of twenty at most, and its end is always possible', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner } = trial;
    const values = Array.from({ length: 21 }, (_, n) => `s${n}`);
    await owner.patch(`/investigation/${trial.id}`, {
      properties: [{ name: 'site', values: ['lyon', 'paris', ...values] }],
    });
    const answers: Answer[] = [];
    for (const value of values) answers.push(await freeze(trial, owner, { site: [value] }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(204), 409]);
    expect((await freeze(trial, owner, { site: ['s0'] }, 'active')).status).toBe(204);
    expect((await freeze(trial, owner, { site: ['s20'] })).status).toBe(204);
  });
});

describe('the lock policy of a group', () => {
  const signature = { meaning: 'I have reviewed these answers' };
  const setPolicy = ({ id, owner }: Study, lockPolicy: object) =>
    owner.patch(`/investigation/${id}`, { lockPolicy });
  const strictLyon = { properties: { site: ['lyon'] }, unlock: 'owners', signature: true };

  async function signed(person: Person, path: string, body: object, method = 'POST') {
    const auth_time = Math.floor(Date.now() / 1000);
    const token = await tokenOf(person.email.split('@')[0] ?? '', { auth_time });
    return send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, signature }),
    });
  }

  test("is shown to staff of that group, and kept when the study's own changes", async () => {
    const trial = await newTrial();
    const { owner, editor, mona, eli, responder } = trial;
    const whole = { unlock: 'viewers', signature: false, groups: [strictLyon] };
    expect((await setPolicy(trial, { groups: [strictLyon] })).body.lockPolicy).toEqual(whole);
    for (const person of [owner, editor, mona])
      expect((await stateOf(trial, person)).lockPolicy).toEqual(whole);
    for (const person of [eli, responder])
      expect((await stateOf(trial, person)).lockPolicy).toEqual({ unlock: 'viewers', signature: false });
    const stricter = { lockPolicy: { unlock: 'owners' } };
    expect((await signed(owner, `/investigation/${trial.id}`, stricter, 'PATCH')).status).toBe(200);
    expect((await stateOf(trial, owner)).lockPolicy).toEqual({ ...whole, unlock: 'owners' });
    const [, entry] = await readLog(trial, owner, '&action=study.changed');
    expect(entry.details.after.lockPolicy).toEqual(whole);
    const changed = async (by: Person) =>
      (await readLog(trial, by, '&action=study.changed'))
        .slice(-2)
        .map((one) => [one.details.before.lockPolicy, one.details.after.lockPolicy]);
    const policy = { unlock: 'viewers', signature: false };
    for (const by of [owner, editor, mona])
      expect(await changed(by)).toEqual([
        [policy, whole],
        [whole, { ...whole, unlock: 'owners' }],
      ]);
    // Nothing of Lyon, neither before nor after.
    expect(await changed(eli)).toEqual([
      [policy, policy],
      [policy, { ...policy, unlock: 'owners' }],
    ]);
    const none = { lockPolicy: { groups: [] } };
    expect((await signed(owner, `/investigation/${trial.id}`, none, 'PATCH')).status).toBe(200);
    expect((await stateOf(trial, owner)).lockPolicy).not.toHaveProperty('groups');

    await changingNothing(async () => {
      for (const [group, pointer] of [
        [{ properties: { arm: ['b'] } }, '/lockPolicy/groups/0/properties/arm'],
        [{ properties: { site: ['rome'] } }, '/lockPolicy/groups/0/properties/site'],
        [{ unlock: 'owners' }, '/lockPolicy/groups/0/properties'],
        [{ ...strictLyon, unlock: 'nobody' }, '/lockPolicy/groups/0/unlock'],
      ] as const)
        expectProblem(await setPolicy(trial, { groups: [group] }), 'request.invalid', [pointer]);
      const many = Array.from({ length: 21 }, () => strictLyon);
      expectProblem(await setPolicy(trial, { groups: many }), 'request.invalid', ['/lockPolicy/groups']);
    });
  });

  test('a study may begin with one, and keeps the properties that it names', async () => {
    const trial = await newTrial({ isBlinded: false });
    const properties = [{ name: 'site', values: ['lyon', 'paris'] }];
    const lockPolicy = { groups: [strictLyon] };
    const { identifier } = created(
      await trial.owner.post('/investigation', { name: 'Trial', properties, lockPolicy }),
    );
    const path = `/investigation/${identifier}`;
    expect((await trial.owner.get(path)).body.lockPolicy.groups).toEqual([strictLyon]);
    await changingNothing(async () => {
      expectProblem(
        await trial.owner.post('/investigation', { name: 'Trial', lockPolicy }),
        'request.invalid',
      );
      for (const kept of [[], [{ name: 'site', values: ['paris'] }], [{ ...properties[0], blinded: true }]])
        expectProblem(await trial.owner.patch(path, { properties: kept }), 'property.in-use', [
          '/properties',
        ]);
    });
    const none = { properties: [], lockPolicy: { groups: [] } };
    expectProblem(await trial.owner.patch(path, none), 'request.invalid', ['/signature']);
    expect((await signed(trial.owner, path, none, 'PATCH')).status).toBe(200);
  });

  test('is asked for on every way to lock and unlock, and the strictest holds for several', async () => {
    const trial = await withResponses();
    const { id, editor, mona, lyon, paris, lyonDiary } = trial;
    await setPolicy(trial, { groups: [strictLyon] });
    const items = `/investigation/${id}/lock-items`;
    const matching = `/investigation/${id}/lock-matching`;
    const cases = (...ids: string[]) => ({ cases: ids.map((identifier) => ({ identifier })) });
    expect((await lock(editor, trial, { cases: [paris] })).status).toBe(204);
    expect((await lock(editor, trial, { cases: [paris] }, 'unlocked')).status).toBe(204);
    await changingNothing(async () => {
      for (const ids of [[lyon], [paris, lyon]])
        expectProblem(await lock(editor, trial, { cases: ids }), 'request.invalid', ['/signature']);
      expectProblem(await lock(editor, trial, { responses: [lyonDiary] }), 'request.invalid', ['/signature']);
      expectProblem(await match(trial, mona), 'request.invalid', ['/signature']);
      expectProblem(await match(trial, editor), 'request.invalid', ['/signature']);
    });
    expect((await signed(editor, items, { ...cases(paris, lyon), status: 'locked' })).status).toBe(204);
    await changingNothing(async () => {
      for (const ids of [[lyon], [paris, lyon]])
        expectProblem(
          await signed(editor, items, { ...cases(...ids), status: 'unlocked' }),
          'action.forbidden',
        );
      for (const dryRun of [true, false])
        expectProblem(
          await signed(editor, matching, { status: 'unlocked', filter: {}, dryRun }),
          'action.forbidden',
        );
    });
    const filter = { properties: { site: ['paris'] } };
    expect((await editor.post(matching, { status: 'unlocked', filter })).body).toMatchObject({ cases: 1 });
    expect((await signed(trial.owner, matching, { status: 'unlocked', filter: {} })).status).toBe(200);
  });

  test('goes before that of the study, also where it is milder, and cases without properties keep theirs', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { editor, lyon, paris } = trial;
    const nowhere = await newCase(trial, trial.owner, 'Nowhere');
    await setPolicy(trial, {
      unlock: 'owners',
      groups: [
        { properties: { site: ['lyon', 'paris'] }, unlock: 'viewers' },
        { properties: { site: ['paris'] }, unlock: 'owners' },
      ],
    });
    const all = [lyon, paris, nowhere];
    await lock(editor, trial, { cases: all });
    expect((await lock(editor, trial, { cases: [lyon] }, 'unlocked')).status).toBe(204);
    await lock(editor, trial, { cases: all });
    await changingNothing(async () => {
      for (const ids of [[paris], [nowhere], [lyon, nowhere]])
        expectProblem(await lock(editor, trial, { cases: ids }, 'unlocked'), 'action.forbidden');
      expectProblem(await match(trial, editor, {}, { status: 'unlocked' }), 'action.forbidden');
    });
    expect((await match(trial, editor, { case: lyon }, { status: 'unlocked' })).body.cases).toBe(1);
  });

  test('asks for the signature of a freeze of the group, or of a part of it', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner } = trial;
    await setPolicy(trial, { groups: [strictLyon] });
    await changingNothing(async () => {
      for (const site of [['lyon'], ['lyon', 'paris']])
        expectProblem(await freeze(trial, owner, { site }), 'request.invalid', ['/signature']);
    });
    expect((await freeze(trial, owner, { site: ['paris'] })).status).toBe(204);
    const body = { status: 'frozen', reason: 'Final', properties: { site: ['lyon'] } };
    expect((await signed(owner, `/investigation/${trial.id}/freeze`, body)).status).toBe(204);
    expect((await readLog(trial, owner)).at(-1)).toMatchObject({ signature: { name: 'Ada' } });
  });
});

test('a reader of a part of the study is not told by whom of another an item is locked', async () => {
  const trial = await newTrial({ isBlinded: false });
  const { owner, other, mona, lyon } = trial;
  const answer = await newResponse(trial, other, lyon);
  await lock(other, trial, { responses: [answer] });
  const read = async (by: Person) =>
    (await by.get(`/investigation/${trial.id}/responses?include=lock`)).body.responses[0]?.lock;
  expect(await read(owner)).toMatchObject({ actor: other.id, actorName: 'Dana' });
  expect(await read(mona)).toMatchObject({ actor: '0'.repeat(32) });
  expect(JSON.stringify(await read(mona))).not.toMatch(/Dana/);
  await setScope(trial, mona, null);
  expect(await read(mona)).toMatchObject({ actor: other.id });
});
