import { describe, expect, test } from 'vitest';
import { newMember, type Study } from '../support/studies.ts';
import { later, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { arm, blindedArm, bound, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

const forB = { arm: ['b'] };

/** Chidi, of Lyon, is in arm b, and Dana, of Paris, in arm a. Ada owns the study, Bruno edits it, and Mona monitors it. */
async function twoArms(declared: object = arm) {
  setClock(startOfTests);
  const study = await sleepStudy();
  await declare(study, site, declared);
  await regroup(study, study.responder, { site: 'lyon', arm: 'b' });
  await regroup(study, study.other, { site: 'paris', arm: 'a' });
  const monitor = await newMember(world, study, 'Mona', 'monitor');
  return { ...study, study, monitor };
}

const namesOf = async ({ id }: Study, by: Study['owner']) =>
  (await by.get(`/investigation/${id}/surveys`)).body.surveys.map(({ name }: { name: string }) => name);

describe('a survey for some people', () => {
  test('says so to staff, in each answer and in the log, and to nobody else', async () => {
    const { study, owner, editor, monitor, responder } = await twoArms();
    later(1);
    const made = await editor.post(`/investigation/${study.id}/survey`, {
      name: 'Pain',
      items: [],
      for: forB,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body.for).toEqual(forB);
    const path = made.body.uri;
    for (const by of [owner, editor, monitor]) {
      expect((await by.get(path)).body.for).toEqual(forB);
      const { surveys } = (await by.get(`/investigation/${study.id}/surveys`)).body;
      expect(surveys.at(-1).for).toEqual(forB);
    }
    const toChidi = await responder.get(path);
    expect(toChidi.status).toBe(200);
    expect(toChidi.text).not.toContain('arm');
    expect((await responder.get(`/investigation/${study.id}/surveys`)).text).not.toContain('arm');
    const rowFor = async (by: Study['owner']) =>
      (await by.get(`/investigation/${study.id}/surveys`, { accept: 'text/csv' })).text.split('\r\n').at(-2);
    for (const by of [owner, monitor]) expect(await rowFor(by)).toMatch(/,"\{""arm"":\[""b""\]\}"$/);
    expect(await rowFor(responder)).toMatch(/Pain.*,$/);

    const before = await owner.get(`/investigation/${study.id}/changes?after=0`);
    const changed = await owner.patch(path, { for: { arm: ['a', 'b'], site: ['lyon'] } });
    expect(changed.body.for).toEqual({ arm: ['a', 'b'], site: ['lyon'] });
    expect(changed.headers.get('etag')).not.toBe(made.headers.get('etag'));
    const after = await owner.get(`/investigation/${study.id}/changes?after=${before.body.latest}`);
    expect(after.body.changes).toMatchObject([{ kind: 'survey', identifier: made.body.identifier }]);
    const { activities } = (await owner.get(`/investigation/${study.id}/activity`)).body;
    expect(activities.slice(0, 2)).toMatchObject([
      {
        action: 'survey.changed',
        details: { before: { for: forB }, after: { for: { arm: ['a', 'b'], site: ['lyon'] } } },
      },
      { action: 'survey.changed', details: { before: { for: null }, after: { for: forB } } },
    ]);
    expect((await owner.patch(path, { for: null })).body).not.toHaveProperty('for');
  });

  test('is there for those who fit, and for nobody else who takes part', async () => {
    const { study, responder, other, editor } = await twoArms();
    const pain = await newSurvey(study, { for: { arm: ['b'], site: ['lyon'] } });
    expect(await namesOf(study, responder)).toEqual(['Diary', 'Pain']);
    expect(await namesOf(study, other)).toEqual(['Diary']);
    expect(await namesOf(study, editor)).toEqual(['Diary', 'Pain']);
    const asks = [
      (by: Study['owner']) => by.get(`/survey/${pain}`),
      (by: Study['owner']) => by.post(`/survey/${pain}/download`),
      (by: Study['owner']) => by.get(`/survey/${pain}/items?at=2027-03-01T08:00:00.000Z`),
      (by: Study['owner']) => by.get(`/survey/${pain}/reminders/upcoming`),
    ];
    for (const ask of asks) {
      expect((await ask(responder)).status).toBe(200);
      expectProblem(await ask(other), 'resource.not-found');
      expect((await ask(editor)).status).toBe(200);
    }
    // One of the two is not enough.
    await regroup(study, responder, { site: 'paris' });
    expect(await namesOf(study, responder)).toEqual(['Diary']);
    await regroup(study, responder, { site: 'lyon', arm: null });
    expectProblem(await responder.get(`/survey/${pain}`), 'resource.not-found');
  });

  test('names properties and values that the study declares', async () => {
    const { study, owner, editor } = await twoArms(blindedArm);
    const refused = async (by: Study['owner'], rule: object, pointer: string, detail: RegExp) => {
      const body = { name: 'Pain', items: [], for: rule };
      for (const ask of [
        () => by.post(`/investigation/${study.id}/survey`, body),
        () => by.patch(`/survey/${study.survey}`, { for: rule }),
        () => by.post(`/survey/${study.survey}/reminders/change`, { for: rule }),
      ])
        await changingNothing(async () => {
          const answer = await ask();
          expectProblem(answer, 'request.invalid');
          expect(answer.body.errors[0].pointer).toBe(pointer);
          expect(answer.body.errors[0].detail).toMatch(detail);
        });
    };
    await refused(owner, { ward: ['x'] }, '/for/ward', /declares: site, arm\./);
    await refused(owner, { site: ['nice'] }, '/for/site', /a value that the study declares/);
    await refused(owner, { site: [] }, '/for/site', /at least one value/);
    await refused(owner, {}, '/for', /Expected 1 to 10 properties/);
    // Bruno learns nothing of a blinded property: it is as unknown as any other.
    await refused(editor, { arm: ['b'] }, '/for/arm', /declares: site\./);
    await refused(editor, { ward: ['b'] }, '/for/ward', /declares: site\./);
  });

  test('is changed by those who see all of the study', async () => {
    const { study, editor } = await twoArms();
    await bound(study, editor, { site: ['lyon'] });
    for (const ask of [
      () => editor.post(`/investigation/${study.id}/survey`, { name: 'Pain', items: [] }),
      () => editor.patch(`/survey/${study.survey}`, { name: 'Nights' }),
      () => editor.patch(`/survey/${study.survey}`, { for: { site: ['lyon'] } }),
    ])
      await changingNothing(async () => expectProblem(await ask(), 'action.forbidden'));
  });
});

describe('a survey for people of a blinded property', () => {
  test('is there for owners and those who take it, and for nobody else', async () => {
    const { study, owner, editor, monitor, responder, other } = await twoArms(blindedArm);
    const pain = await newSurvey(study, { reminders: daily, for: forB });
    const { activities } = (await owner.get(`/investigation/${study.id}/activity`)).body;
    expect(activities[0].details).toMatchObject({
      after: { for: forB },
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    for (const by of [owner, responder]) expect(await namesOf(study, by)).toEqual(['Diary', 'Pain']);
    for (const by of [editor, monitor, other]) expect(await namesOf(study, by)).toEqual(['Diary']);
    const change = { reminders: { ...daily, recurrence: '0 8 * * *' } };
    const asks = [
      (by: Study['owner']) => by.get(`/survey/${pain}`),
      (by: Study['owner']) => by.post(`/survey/${pain}/download`),
      (by: Study['owner']) => by.get(`/survey/${pain}/items?at=2027-03-01T08:00:00.000Z`),
      (by: Study['owner']) => by.get(`/survey/${pain}/reminders/reach`),
      (by: Study['owner']) => by.get(`/survey/${pain}/reminders/upcoming?user=${responder.id}`),
      (by: Study['owner']) => by.get(`/survey/${pain}/notifications?user=${responder.id}`),
      (by: Study['owner']) => by.post(`/survey/${pain}/reminders/change`, change),
      (by: Study['owner']) => by.patch(`/survey/${pain}`, { name: 'Aches' }),
    ];
    for (const ask of asks) {
      for (const by of [editor, monitor]) expectProblem(await ask(by), 'resource.not-found');
      expect((await ask(owner)).status).toBe(200);
    }
    // The others who take part are in the other arm, or do not learn that there are arms.
    await declare(study, site, arm);
    expect(await namesOf(study, editor)).toEqual(['Diary', 'Aches']);
    await declare(study, site, blindedArm);
    expect(await namesOf(study, editor)).toEqual(['Diary']);
  });

  test('sets no dates, and triggers only blinded surveys', async () => {
    const { study, owner, editor } = await twoArms(blindedArm);
    await owner.patch(`/investigation/${study.id}`, { dates: ['surgery'] });
    const dated = [{ identifier: 'd', label: 'When is it?', answer: { kind: 'date', sets: 'surgery' } }];
    const refused = (ask: () => ReturnType<Study['owner']['get']>, pointer: string, detail: RegExp) =>
      changingNothing(async () => {
        const answer = await ask();
        expectProblem(answer, 'request.invalid');
        expect([answer.body.errors[0].pointer, answer.body.detail]).toEqual([
          pointer,
          expect.stringMatching(detail),
        ]);
      });
    const surveys = `/investigation/${study.id}/survey`;
    const plain = { name: 'Pain', items: [] };
    await refused(
      () => owner.post(surveys, { name: 'Pain', items: dated, for: forB }),
      '/items/0/answer/sets',
      /dates are shown to all staff/,
    );
    const sets = await newSurvey(study, { items: dated });
    await refused(() => owner.patch(`/survey/${sets}`, { for: forB }), '/for', /dates are shown/);

    const blinded = await newSurvey(study, { for: forB });
    const following = (survey: string) => ({
      ...daily,
      type: 'triggered',
      recurrence: null,
      trigger: { survey, after: 60 },
    });
    const showing = /when its reminders come would show who takes it/;
    const pointer = '/reminders/trigger/survey';
    await refused(() => owner.post(surveys, { ...plain, reminders: following(blinded) }), pointer, showing);
    await refused(
      () => owner.patch(`/survey/${study.survey}`, { reminders: following(blinded) }),
      pointer,
      showing,
    );
    await refused(
      () => editor.patch(`/survey/${study.survey}`, { reminders: following(blinded) }),
      pointer,
      /a survey of this study/,
    );
    const second = await newSurvey(study, { for: forB, reminders: following(blinded) });
    await refused(() => owner.patch(`/survey/${second}`, { for: null }), '/for', showing);
    // A survey of everybody may trigger a blinded one, but not the other way round.
    await newSurvey(study, { for: forB, reminders: following(study.survey) });
    const follows = await newSurvey(study, { name: 'Afterwards', reminders: following(sets) });
    await owner.patch(`/survey/${sets}`, { items: [] });
    await refused(() => owner.patch(`/survey/${sets}`, { for: forB }), '/for', /“Afterwards”/);
    await owner.patch(`/survey/${follows}`, { for: { ...forB, site: ['lyon'] } });
    expect((await owner.patch(`/survey/${sets}`, { for: forB })).status).toBe(200);
  });

  test('has to be ready for it before its property is blinded', async () => {
    const { study, owner } = await twoArms();
    await owner.patch(`/investigation/${study.id}`, { dates: ['surgery'] });
    const items = [{ identifier: 'd', label: 'When is it?', answer: { kind: 'date', sets: 'surgery' } }];
    const pain = await newSurvey(study, { items, for: forB });
    const blind = () => owner.patch(`/investigation/${study.id}`, { properties: [site, blindedArm] });
    const refused = (detail: RegExp) =>
      changingNothing(async () => {
        const answer = await blind();
        expectProblem(answer, 'request.invalid');
        expect(answer.body.detail).toMatch(detail);
      });
    await refused(/“Pain” would be blinded, and sets a date/);
    await owner.patch(`/survey/${pain}`, { items: [] });
    const trigger = { survey: pain, after: 60 };
    const reminders = { ...daily, type: 'triggered', recurrence: null, trigger };
    const follows = await newSurvey(study, { reminders });
    await refused(/“Pain” would be blinded, and triggers reminders/);
    await owner.patch(`/survey/${follows}`, { for: forB });
    expect((await blind()).status).toBe(200);
  });
});

describe('the reach of a survey', () => {
  test('counts those whom it is for, of those whom the reader sees', async () => {
    const { study, owner, editor, monitor } = await twoArms();
    const pain = await newSurvey(study, { reminders: daily, for: forB });
    const reachOf = async (survey: string, by: Study['owner']) =>
      (await by.get(`/survey/${survey}/reminders/reach`)).body;
    expect(await reachOf(pain, owner)).toMatchObject({ members: 5, counted: 5, participants: 1 });
    expect(await reachOf(study.survey, owner)).toMatchObject({ members: 5, participants: 2 });
    await bound(study, editor, { site: ['paris'] });
    await bound(study, monitor, { site: ['lyon'] });
    expect(await reachOf(pain, editor)).toMatchObject({ members: 1, counted: 1, participants: 0 });
    expect(await reachOf(pain, monitor)).toMatchObject({ members: 1, counted: 1, participants: 1 });
    expect(await reachOf(study.survey, monitor)).toMatchObject({ members: 1, participants: 1 });
  });
});
