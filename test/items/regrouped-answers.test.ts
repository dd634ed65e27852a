import { describe, expect, test } from 'vitest';
import { ringAt } from '../reminders/support/nudges.ts';
import { newCase, newMember } from '../support/studies.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { arm, blindedArm, bound, declare, regroup, site } from '../support/worker/groups.ts';
import { daily, history, jobsDone, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';

const at = (time: string, on = '2027-03-01') => Date.parse(`${on}T${time}:00.000Z`);
const iso = (ms: number) => new Date(ms).toISOString();

/** Chidi is in arm b, whose diary he has on his phone, and Dana in arm a. He is reminded at noon in Paris. */
async function diaryOfB(declared: object = arm) {
  setClock(startOfTests);
  const study = await sleepStudy();
  const { owner, responder: chidi, other: dana } = study;
  await declare(study, site, declared);
  await regroup(study, chidi, { site: 'lyon', arm: 'b' });
  await regroup(study, dana, { site: 'paris', arm: 'a' });
  const reminders = { ...daily, recurrence: '0 12 * * *', unlessAnswered: true };
  await owner.patch(`/survey/${study.survey}`, { reminders, for: { arm: ['b'] } });
  await jobsDone();
  await newPhone(chidi);
  await pendingOf(chidi);
  expect((await chidi.post(`/survey/${study.survey}/download`)).status).toBe(200);
  const [his, hers] = [await newCase(study, chidi, 'Chidi'), await newCase(study, dana, 'Dana')];
  const answer = (by = chidi, more: object = {}) =>
    by.post(`/survey/${study.survey}/response`, { case: his, items: { q1: 'well' }, ...more });
  const waiting = async (by = owner) =>
    (await by.get(`/investigation/${study.id}/set-aside`)).body.setAside as Record<string, unknown>[];
  return { study, owner, chidi, dana, his, hers, answer, waiting };
}

describe('an answer to a survey that is for others by now', () => {
  test('is set aside if the phone has the survey, given before the change or after it', async () => {
    const { study, owner, chidi, answer, waiting } = await diaryOfB();
    await ringAt(chidi, at('11:00'));
    setClock(at('11:30'));
    await regroup(study, chidi, { arm: 'a' });
    for (const more of [{}, { at: iso(at('11:20')) }, { at: iso(at('11:31')) }]) {
      later(minutes);
      const answered = await answer(chidi, more);
      expect(answered.status, answered.text).toBe(202);
      expect(answered.body).toEqual({ setAside: 'not-in-group' });
    }
    expect((await waiting()).map(({ reason, givenAt }) => [reason, givenAt])).toEqual(
      ['11:31', '11:20', '11:31'].map((time) => ['not-in-group', iso(at(time))]),
    );
    // It is no response, and whoever placed it would do so.
    expect((await owner.get(`/investigation/${study.id}/responses`)).body.responses).toEqual([]);
  });

  test('counts nowhere, unless it was given before', async () => {
    const { study, chidi, answer } = await diaryOfB();
    await ringAt(chidi, at('11:00'));
    setClock(at('11:30'));
    await regroup(study, chidi, { arm: 'a' });
    const noon = async () => (await history(chidi)).find(({ state }) => state === 'sent');
    const { identifier: notification } = await noon();
    setClock(at('11:40'));
    expect((await answer(chidi, { notification })).status).toBe(202);
    expect(await noon()).not.toHaveProperty('answeredAt');
    expect((await answer(chidi, { at: iso(at('11:20')) })).status).toBe(202);
    expect(await noon()).toMatchObject({ answeredAt: iso(at('11:20')) });
  });

  test('is 404 without the survey on the phone, or never in the arm', async () => {
    const { study, chidi, dana, hers, answer } = await diaryOfB();
    await changingNothing(async () =>
      expectProblem(await answer(dana, { case: hers }), 'resource.not-found'),
    );
    // Back in the arm, Chidi answers as before.
    await regroup(study, chidi, { arm: 'a' });
    await regroup(study, chidi, { arm: 'b' });
    expect((await answer()).status).toBe(201);
  });

  test('is refused for a case that takes none, as any other', async () => {
    const { study, owner, chidi, his, answer } = await diaryOfB();
    await owner.post(`/investigation/${study.id}/lock-items`, {
      cases: [{ identifier: his }],
      responses: [],
      status: 'locked',
    });
    await regroup(study, chidi, { arm: 'a' });
    expectProblem(await answer(), 'item.locked');
    expectProblem(await answer(chidi, { case: 'f'.repeat(32) }), 'items.not-found');
    await owner.patch(`/survey/${study.survey}`, { status: 'archived' });
    expectProblem(await answer(), 'item.locked');
  });

  test('is sent again with the same result', async () => {
    const { study, chidi, answer, waiting } = await diaryOfB();
    await regroup(study, chidi, { arm: 'a' });
    const identifier = 'a'.repeat(32);
    for (let n = 0; n < 2; n++) expect((await answer(chidi, { identifier })).status).toBe(202);
    expect(await waiting()).toHaveLength(1);
  });

  test('says why to somebody who has left since', async () => {
    const { study, owner, chidi, dana, hers, answer } = await diaryOfB();
    setClock(startOfTests + 10 * minutes);
    for (const { id } of [chidi, dana]) await owner.delete(`/investigation/${study.id}/member/${id}`);
    setClock(startOfTests + 20 * minutes);
    const given = { at: iso(startOfTests + 5 * minutes) };
    expect((await answer(chidi, given)).body).toEqual({ setAside: 'left-study' });
    expectProblem(await answer(dana, { ...given, case: hers }), 'resource.not-found');
  });
});

describe('an answer of staff', () => {
  test('is for any case in their part of the study, whoever the survey is for', async () => {
    const { study, owner, his, hers, answer } = await diaryOfB();
    const { editor } = study;
    for (const by of [owner, editor])
      for (const of of [his, hers]) expect((await answer(by, { case: of })).status).toBe(201);
    await bound(study, editor, { site: ['lyon'] });
    expect((await answer(editor)).status).toBe(201);
    await changingNothing(async () => expectProblem(await answer(editor, { case: hers }), 'items.not-found'));
  });

  test('is none of theirs to a blinded survey, unless they own the study', async () => {
    const { study, owner, answer } = await diaryOfB(blindedArm);
    expectProblem(await answer(study.editor), 'resource.not-found');
    expect((await answer(owner)).status).toBe(201);
    expect((await answer(study.responder)).status).toBe(201);
    const monitor = await newMember(world, study, 'Mona', 'monitor');
    expectProblem(await answer(monitor), 'resource.not-found');
  });
});
