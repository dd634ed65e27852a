import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/people.ts';
import { diary, type Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { refuseWrites } from '../support/worker/refused-writes.ts';
import { daily, jobsDone, pendingOf, scheduled, tick } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

/* A process may die right after the answer to a change. The minutes that follow make the plans that it left. */

/** Sends a change to a process that dies with its answer. */
async function changeAndDie(by: Person, method: string, path: string, body?: object) {
  const { send } = newApp({ defer: () => {} });
  const answer = await send(path, { method, token: by.token, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

/** The next reminder of a person in a survey, by its rules as they are. */
async function nextOf(study: Study, person: Person) {
  const { body } = await person.get(`/survey/${study.survey}/reminders/upcoming?count=1`);
  return (body.occurrences ?? []).map(({ dueAt }: { dueAt: string }) => dueAt);
}

/** Three minutes of the service. */
async function threeMinutes() {
  for (let n = 0; n < 3; n++) {
    later(minutes);
    await tick();
  }
}

/** In the minutes that follow what is planned for each of these people becomes what comes next for them. */
async function plannedInMinutes(study: Study, people: Person[]) {
  await threeMinutes();
  for (const person of people)
    await eventually(`the plan of ${person.name}`, async () => {
      const planned = (await scheduled(person)).filter(({ survey }) => survey === study.survey);
      const next = await nextOf(study, person);
      return JSON.stringify(planned.map(({ dueAt }) => dueAt)) === JSON.stringify(next);
    });
}

const studyOf = ({ id }: Study) => `/investigation/${id}`;
const surveyOf = ({ survey }: Study) => `/survey/${survey}`;

describe('the plans of everyone are made after a crash behind', () => {
  test.each<[string, object | null, (study: Study) => Promise<unknown>, string[]]>([
    [
      'other reminders',
      daily,
      (study) =>
        changeAndDie(study.editor, 'PATCH', surveyOf(study), {
          reminders: { ...daily, recurrence: '0 22 * * *' },
        }),
      ['2027-03-01T21:00:00.000Z'],
    ],
    [
      'the first reminders',
      null,
      (study) => changeAndDie(study.editor, 'PATCH', surveyOf(study), { reminders: daily }),
      ['2027-03-01T20:30:00.000Z'],
    ],
    [
      'the end of reminders',
      daily,
      (study) => changeAndDie(study.editor, 'PATCH', surveyOf(study), { reminders: null }),
      [],
    ],
    [
      'a later start of the study',
      daily,
      (study) => changeAndDie(study.owner, 'PATCH', studyOf(study), { startsOn: '2027-03-08' }),
      ['2027-03-08T20:30:00.000Z'],
    ],
    [
      'another zone of the study',
      daily,
      (study) => changeAndDie(study.owner, 'PATCH', studyOf(study), { timeZone: 'America/Bogota' }),
      ['2027-03-02T02:30:00.000Z'],
    ],
    [
      'the archival of the survey',
      daily,
      (study) => changeAndDie(study.editor, 'PATCH', surveyOf(study), { status: 'archived' }),
      [],
    ],
    [
      'the archival of the study',
      daily,
      (study) => changeAndDie(study.owner, 'PATCH', studyOf(study), { status: 'archived' }),
      [],
    ],
  ])('%s', async (_, before, change, expected) => {
    const study = await sleepStudy(before);
    const people = [study.responder, study.other];
    for (const person of people) await pendingOf(person, before ? 1 : 0);
    await jobsDone();
    await change(study);
    await plannedInMinutes(study, people);
    for (const person of people)
      expect((await scheduled(person)).map(({ dueAt }) => dueAt)).toEqual(expected);
  });

  test('a new survey with reminders', async () => {
    const study = await sleepStudy();
    const survey = { name: 'Evening', items: diary, reminders: daily };
    const body = await changeAndDie(study.editor, 'POST', `${studyOf(study)}/survey`, survey);
    const people = [study.responder, study.other];
    await plannedInMinutes({ ...study, survey: body.identifier }, people);
    for (const person of people) expect(await scheduled(person)).toHaveLength(1);
  });
});

describe("one person's plans are made after a crash behind", () => {
  test.each<[string, (study: Study) => Promise<unknown>, string[]]>([
    [
      'another time of their own',
      ({ responder }) => changeAndDie(responder, 'PATCH', '/user/me', { customRemindersTime: '20:00' }),
      ['2027-03-01T19:00:00.000Z'],
    ],
    [
      'another zone of their own',
      ({ responder }) => changeAndDie(responder, 'PATCH', '/user/me', { timeZone: 'Asia/Tokyo' }),
      ['2027-03-01T12:30:00.000Z'],
    ],
    [
      'a phone in another zone',
      ({ responder }) =>
        changeAndDie(responder, 'POST', '/user/me/device', {
          ...{ platform: 'android', token: `phone-of-${responder.id}`, timeZone: 'Asia/Tokyo' },
        }),
      ['2027-03-01T12:30:00.000Z'],
    ],
    [
      'leaving the study',
      (study) => changeAndDie(study.responder, 'DELETE', `${studyOf(study)}/member/me`),
      [],
    ],
  ])('%s', async (_, change, expected) => {
    const study = await sleepStudy(daily);
    const { responder } = study;
    await pendingOf(responder);
    await jobsDone();
    await change(study);
    await threeMinutes();
    await eventually('the plan', async () => {
      const due = (await scheduled(responder)).map(({ dueAt }) => dueAt);
      return JSON.stringify(due) === JSON.stringify(expected);
    });
  });

  test('joining a study', async () => {
    const study = await sleepStudy(daily);
    const emil = await signUp('Emil');
    const join = { user: emil.id, role: 'responder' };
    await changeAndDie(study.owner, 'POST', `${studyOf(study)}/member`, join);
    await plannedInMinutes(study, [emil]);
    expect(await scheduled(emil)).toHaveLength(1);
  });

  test('the first download of a survey', async () => {
    const study = await sleepStudy({ ...daily, type: 'fixed', recurrence: '0 9 * * 1' });
    await newPhone(study.responder);
    await changeAndDie(study.responder, 'POST', `${surveyOf(study)}/download`);
    await plannedInMinutes(study, [study.responder]);
    expect(await scheduled(study.responder)).toHaveLength(1);
  });
});

test('the plans that the database did not take for some minutes are made once it does', async () => {
  const study = await sleepStudy(daily);
  const people = [study.responder, study.other];
  for (const person of people) await pendingOf(person);
  await jobsDone();
  await changeAndDie(study.editor, 'PATCH', surveyOf(study), {
    reminders: { ...daily, recurrence: '0 22 * * *' },
  });
  const takeWrites = refuseWrites();
  for (let n = 0; n < 3; n++) {
    later(minutes);
    await tick().catch(() => {});
  }
  takeWrites();
  await plannedInMinutes(study, people);
  for (const person of people)
    expect(await scheduled(person)).toMatchObject([{ dueAt: '2027-03-01T21:00:00.000Z' }]);
});
