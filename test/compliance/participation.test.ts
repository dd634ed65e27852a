import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, history, pendingOf, ring, scheduled, tick } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/*
 * Every responder takes part. Ada, who owns the study, and Bruno, who edits it, take part with a phone or a download: until
 * then nothing is planned for them or due, and they are in no row, total or attention. Reminders come at 20:30 UTC.
 */

const evening = (day: number) => `2027-03-0${day}T20:30:00.000Z`;
const night = (day: number) => `2027-03-0${day}T21:00:00.000Z`;

async function complianceOf({ id, editor }: Study) {
  const { participants, totals } = (await editor.get(`/investigation/${id}/compliance`)).body;
  const { attention } = (await editor.get(`/investigation/${id}/compliance/attention`)).body;
  return {
    rows: participants.map(({ user, due }: { user: string; due: number }) => ({ user, due })),
    totals,
    attention: JSON.stringify(attention),
  };
}

const onDates = async (person: Person) =>
  (await history(person)).map(({ on, state, reason }) => [on, state, ...(reason ? [reason] : [])]);

const deletePhones = async (person: Person) => {
  for (const { identifier } of (await person.get('/user/me/devices')).body.devices)
    expect((await person.delete(`/device/${identifier}`)).status).toBe(204);
};

const isAlone = (study: Study) =>
  expect(complianceOf(study)).resolves.toMatchObject({
    rows: [study.responder.id, study.other.id].toSorted().map((user) => ({ user })),
    attention: expect.not.stringMatching(`${study.owner.id}|${study.editor.id}`),
  });

test('owners and editors without phone and download are planned nothing, and count nowhere', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { id, owner, editor, responder, other, survey } = study;
  await newPhone(responder);
  for (const person of [responder, other]) await pendingOf(person);
  await owner.put('/user/me/pause', { until: null });
  await editor.put('/user/me/pause', { until: null, investigation: id });
  for (const day of [1, 2, 3]) {
    setClock(evening(day));
    await ring(responder);
    setClock(night(day));
    await tick();
  }
  await isAlone(study);
  expect((await complianceOf(study)).totals).toMatchObject({
    due: 6,
    sent: 3,
    skipped: { 'no-device': 3 },
  });
  for (const person of [owner, editor]) {
    expect(await history(person)).toEqual([]);
    expect((await person.get('/user/me/agenda')).body.occurrences).toEqual([]);
    expect((await person.get(`/survey/${survey}/reminders/upcoming`)).body.occurrences).toEqual([]);
  }
});

test('an owner takes part from the first phone on, and until the last one is given up', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { owner, responder, other } = study;
  for (const person of [responder, other]) await pendingOf(person);
  setClock(night(4));
  const phone = await newPhone(owner);
  // At once, and nothing of the evenings before.
  expect(await onDates(owner)).toEqual([['2027-03-05', 'scheduled']]);
  expect((await complianceOf(study)).attention).toContain(owner.id);
  setClock(evening(5));
  await ring(owner);
  expect(await phone.inbox()).toHaveLength(1);
  expect((await complianceOf(study)).rows).toContainEqual({ user: owner.id, due: 1 });

  await newPhone(owner, 'Asia/Tokyo', 'ios');
  await deletePhones(owner);
  expect(await onDates(owner)).toEqual([
    ['2027-03-06', 'invalidated', 'left-study'],
    ['2027-03-05', 'sent'],
  ]);
  await isAlone(study);
  expect((await complianceOf(study)).totals).toMatchObject({ sent: 1 });

  setClock(night(7));
  await newPhone(owner);
  expect(await scheduled(owner)).toMatchObject([{ on: '2027-03-08' }]);
  expect((await complianceOf(study)).rows).toContainEqual({ user: owner.id, due: 1 });
});

test('a phone that somebody else takes is no phone of the editor any more', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { editor, other } = study;
  const { token } = await newPhone(editor);
  expect(await scheduled(editor)).toHaveLength(1);
  const taken = await other.post('/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris' });
  expect(taken.status).toBe(201);
  expect(await onDates(editor)).toEqual([['2027-03-01', 'invalidated', 'left-study']]);
  await isAlone(study);
});

test('an editor takes part from the first download of a survey of the study on', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { id, owner, editor } = study;
  const weekly = await owner.post(`/investigation/${id}/survey`, {
    name: 'Weeks',
    items: [],
    reminders: { ...daily, type: 'fixed', recurrence: '0 9 1 * *' },
  });
  const elsewhere = await sleepStudy(daily);
  await editor.post(`/survey/${elsewhere.survey}/download`);
  setClock(night(2));
  expect(await history(editor)).toEqual([]);
  await editor.post(`/survey/${weekly.body.identifier}/download`);
  // Also of the study's other survey.
  expect((await scheduled(editor)).map(({ on, survey }) => [on, survey])).toEqual(
    expect.arrayContaining([
      ['2027-03-03', study.survey],
      ['2027-03-03', weekly.body.identifier],
    ]),
  );
  const { rows, attention } = await complianceOf(study);
  expect(rows).toContainEqual({ user: editor.id, due: 0 });
  expect(attention).toContain(editor.id);
});

test('members who become responders take part from then on, and members who become staff without a phone no longer', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { id, owner, editor, responder, other } = study;
  for (const person of [responder, other]) await pendingOf(person);
  const become = async (person: Person, role: string) =>
    expect((await owner.patch(`/investigation/${id}/member/${person.id}`, { role })).status).toBe(200);
  setClock(night(3));
  await tick();
  await become(editor, 'responder');
  expect(await onDates(editor)).toEqual([['2027-03-04', 'scheduled']]);
  await become(responder, 'editor');
  expect((await onDates(responder))[0]).toEqual(['2027-03-04', 'invalidated', 'left-study']);
  const compliance = async () => (await owner.get(`/investigation/${id}/compliance`)).body;
  const rowOf = async ({ id: user }: Person) =>
    (await compliance()).participants.find((row: { user: string }) => row.user === user);
  expect(await rowOf(editor)).toMatchObject({ due: 0, attention: ['unreachable', 'never-downloaded'] });
  expect(await rowOf(responder)).toBeUndefined();
  // Reminders that were due while they took part stay in the totals, and are theirs again.
  expect((await compliance()).totals).toMatchObject({ due: 6 });
  await become(responder, 'responder');
  expect(await rowOf(responder)).toMatchObject({
    due: 3,
    attention: ['unreachable', 'silent', 'never-downloaded'],
  });
  expect(await scheduled(responder)).toMatchObject([{ on: '2027-03-04' }]);

  await newPhone(other);
  await become(other, 'owner');
  expect(await scheduled(other)).toMatchObject([{ on: '2027-03-04' }]);
  expect(await rowOf(other)).toMatchObject({ due: 3 });
});
