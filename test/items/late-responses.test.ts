import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { ringAt } from '../reminders/support/nudges.ts';
import { deliver } from '../support/engine.ts';
import { linesOf } from '../support/lists.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { days, hours, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dropAlarm, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

/*
 * A phone that was offline reports when its responses were given. Chidi lives in Paris, an hour ahead of UTC; the evening
 * is 21:30 there.
 */

const evening = Date.parse('2027-03-01T20:30:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

interface Late {
  study: Study;
  user: Person;
  night: string;
  /** Sends a response that was given at one time at another one (epoch ms). */
  send: (given: number, at: number, more?: object) => ReturnType<Person['post']>;
}

async function newLate(
  reminders: object | null = daily,
): Promise<Late & { phone: Awaited<ReturnType<typeof newPhone>> }> {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const user = study.responder;
  const phone = await newPhone(user);
  const night = await newCase(study, user);
  if (reminders) await pendingOf(user);
  const send: Late['send'] = (given, at, more = {}) => {
    setClock(at);
    const body = { case: night, items: { q1: 'well' }, at: iso(given), ...more };
    return user.post(`/survey/${study.survey}/response`, body);
  };
  return { study, user, phone, night, send };
}

async function ringOn(user: Person, at: number) {
  setClock(at);
  await ring(user);
}

const answeredOf = async (user: Person): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await history(user)).map(({ dueAt, reason, state, answeredAt }) => [
      dueAt.slice(5, 16),
      [reason ?? state, answeredAt?.slice(5, 16) ?? 'no answer'].join(' '),
    ]),
  );

const complianceOf = async ({ id, owner }: Study, query = '') => {
  const path = `/investigation/${id}/compliance?from=2027-03-01&to=2027-03-04${query}`;
  const { status, text, body } = await owner.get(path);
  expect(status, text).toBe(200);
  return body;
};

describe('an answer of 09:05 that a phone sends at 14:00', () => {
  const nine = Date.parse('2027-03-02T08:00:00.000Z');
  const one = nine + 4 * hours;
  const [given, sent] = [nine + 5 * minutes, nine + 5 * hours];

  /** Reminded at 09:00 and at 13:00, and answered at 09:05. */
  async function twiceReminded() {
    const late = await newLate(null);
    const { study, user, send } = late;
    await study.owner.patch(`/investigation/${study.id}`, { startsOn: '2027-03-02' });
    await remind(study, {
      ...daily,
      recurrence: '* * * * *',
      windows: [
        { from: '09:00', to: '09:01' },
        { from: '13:00', to: '13:01' },
      ],
    });
    await pendingOf(user);
    await ringOn(user, nine);
    await ringOn(user, one);
    const response = created(await send(given, sent));
    return { ...late, response, id: String(response.uri).slice('/response/'.length) };
  }

  test('belongs to the reminder of 09:00', async () => {
    const { study, user, send } = await twiceReminded();
    expect(await answeredOf(user)).toMatchObject({
      '03-02T08:00': 'sent 03-02T08:05',
      '03-02T12:00': 'sent no answer',
    });
    expect((await history(user)).find(({ dueAt }) => dueAt === iso(nine))).toMatchObject({
      answeredAt: iso(given),
      answerReceivedAt: iso(sent),
    });
    const chidi = async () =>
      (await complianceOf(study)).participants.find(({ name }: { name: string }) => name === 'Chidi');
    expect(await chidi()).toMatchObject({ due: 2, sent: 2, answered: 1, lastAnsweredAt: iso(given) });

    // The first one counts, by when it was given.
    expect((await send(nine + minutes, sent)).status).toBe(201);
    expect((await send(one + 10 * minutes, sent + minutes)).status).toBe(201);
    expect(await answeredOf(user)).toMatchObject({
      '03-02T08:00': 'sent 03-02T08:01',
      '03-02T12:00': 'sent 03-02T12:10',
    });
    expect(await chidi()).toMatchObject({ answered: 2, lastAnsweredAt: iso(one + 10 * minutes) });
  });

  test('says when it was given and received, alone, in lists, in its history, as CSV and in the export', async () => {
    const { study, user, id, response } = await twiceReminded();
    const { owner } = study;
    const times = { givenAt: iso(given), receivedAt: iso(sent) };
    expect(response).toMatchObject(times);
    expect((await owner.get(`/response/${id}`)).body).toMatchObject(times);
    const { responses } = (await owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toMatchObject([{ ...times, creation: iso(sent), revisionUNIX: sent / 1000 }]);

    setClock(sent + hours);
    const edited = await user.patch(`/response/${id}`, { items: { q1: 'badly' } });
    expect(edited.body).toMatchObject(times);
    const [edit, first] = (await owner.get(`/response/${id}/revisions`)).body.revisions;
    expect(first).toMatchObject({ ...times, revisionDate: sent / 1000 });
    expect(edit).not.toHaveProperty('givenAt');

    const csv = await owner.get(`/investigation/${study.id}/responses`, { accept: 'text/csv' });
    const [head = '', row = ''] = csv.text.split('\r\n');
    const cells = Object.fromEntries(head.split(',').map((name, n) => [name, row.split(',')[n]]));
    expect(cells).toMatchObject({ creation: iso(sent), ...times });

    const lines = linesOf((await user.get('/user/me/export')).text);
    const exported = lines.filter(({ kind }) => kind === 'response');
    expect(exported).toMatchObject([times]);
  });

  test('is found among the responses where the notification had no row yet', async () => {
    const { user, send } = await newLate();
    await ringOn(user, evening);
    await dropAlarm(user);
    // Two evenings of an outage: the phone sends what was given on the second one on the third.
    expect((await send(evening + 2 * days + minutes, evening + 3 * days + hours)).status).toBe(201);
    const services = { ...createServices(env), alarms: { arm: async () => {}, deliver: async () => {} } };
    await deliver({ ...services, log: () => {} }, user.id);
    expect(await answeredOf(user)).toMatchObject({
      '03-01T20:30': 'sent no answer',
      '03-02T20:30': 'expired no answer',
      '03-03T20:30': 'expired 03-03T20:31',
      '03-04T20:30': 'sent no answer',
    });
  });
});

test('a survey that was answered on that date is not reminded of, by when it was answered', async () => {
  const { user, send } = await newLate({ ...daily, unlessAnswered: true });
  await ringOn(user, evening);
  // Given just before midnight of Paris, and received on the next day.
  expect((await send(evening + 2 * hours, evening + 20 * hours)).status).toBe(201);
  await ringOn(user, evening + days);
  expect((await send(evening + days + 20 * hours, evening + days + 22 * hours)).status).toBe(201);
  await ringOn(user, evening + 2 * days);
  expect(await answeredOf(user)).toMatchObject({
    '03-01T20:30': 'sent 03-01T22:30',
    '03-02T20:30': 'sent no answer',
    '03-03T20:30': 'answered 03-03T16:30',
  });
});

test('nudges and snoozes go by when an answer was given', async () => {
  const { user, phone, send } = await newLate({
    ...daily,
    expiresAfter: 240,
    followUps: { every: 30, max: 5 },
  });
  await ringOn(user, evening);
  const [, { identifier }] = await history(user);
  expect((await send(evening - minutes, evening + 10 * minutes)).status).toBe(201);
  await ringAt(user, evening + 30 * minutes);
  expect(await phone.inbox()).toHaveLength(2);
  const snooze = () => user.post(`/notification/${identifier}/snooze`, { minutes: 30 });
  expect((await snooze()).status).toBe(202);

  expect((await send(evening + minutes, evening + 40 * minutes)).status).toBe(201);
  expectProblem(await snooze(), 'notification.answered');
  await ringAt(user, evening + 60 * minutes);
  expect(await phone.inbox()).toHaveLength(2);
});

test('a participant whose answer arrives late is not silent, and compliance counts it on its date', async () => {
  const { study, user, send } = await newLate();
  for (const n of [0, 1, 2]) await ringOn(user, evening + n * days);
  const silent = async () =>
    (await complianceOf(study, '&attention=silent')).participants.map(({ name }: { name: string }) => name);
  expect(await silent()).toContain('Chidi');
  const before = (await complianceOf(study)).totals.answered;

  expect((await send(evening + days + hours, evening + 2 * days + hours)).status).toBe(201);
  expect(await silent()).not.toContain('Chidi');
  expect((await complianceOf(study)).totals.answered).toBe(before + 1);
  const daysOf = `/investigation/${study.id}/compliance/daily?from=2027-03-01&to=2027-03-03`;
  const byDate = (await study.owner.get(daysOf)).body.days;
  expect(byDate.map(({ answered }: { answered: number }) => answered)).toEqual([0, 1, 0]);
});

describe('the time at which a response was given', () => {
  const now = startOfTests + 40 * days;

  test('is not in the future, not more than 30 days ago, and not before the user joined', async () => {
    const { study, user, night, send } = await newLate(null);
    setClock(now);
    const zoe = await signUp('Zoe');
    created(await study.owner.post(`/investigation/${study.id}/member`, { user: zoe.id, role: 'responder' }));
    const path = `/survey/${study.survey}/response`;
    await changingNothing(async () => {
      for (const given of [now + 5 * minutes + 1, now - 30 * days - 1])
        expectProblem(await send(given, now), 'request.invalid', ['/at']);
      for (const at of ['yesterday', null, now, '2027-03-02'])
        expectProblem(await user.post(path, { case: night, items: {}, at }), 'request.invalid', ['/at']);
      const early = { case: night, items: {}, at: iso(now - 1) };
      expectProblem(await zoe.post(path, early), 'request.invalid', ['/at']);
    });
    for (const given of [now, now - 30 * days]) expect((await send(given, now)).status).toBe(201);
    expect((await zoe.post(path, { case: night, items: {}, at: iso(now) })).status).toBe(201);
  });

  test('is not before the user downloaded the survey', async () => {
    const { study, user, send } = await newLate(null);
    setClock(now);
    expect((await user.post(`/survey/${study.survey}/download`)).status).toBe(200);
    await changingNothing(async () =>
      expectProblem(await send(now - 1, now + hours), 'request.invalid', ['/at']),
    );
    expect((await send(now, now + hours)).status).toBe(201);
  });

  test('is part of what a repeated creation repeats, however much later', async () => {
    const { study, user, night, send } = await newLate(null);
    const identifier = 'ab'.repeat(16);
    const given = startOfTests + hours;
    expect((await send(given, given + hours, { identifier })).status).toBe(201);
    await changingNothing(async () => {
      for (const at of [given + 2 * hours, given + 40 * days])
        expect(await send(given, at, { identifier })).toMatchObject({
          status: 200,
          body: { givenAt: iso(given), receivedAt: iso(given + hours) },
        });
      expectProblem(await send(given + 1, given + 2 * hours, { identifier }), 'identifier.taken');
      const without = { case: night, items: { q1: 'well' }, identifier };
      expectProblem(await user.post(`/survey/${study.survey}/response`, without), 'identifier.taken');
    });
  });

  test('costs no round trip', async () => {
    const { study, user, night } = await newLate(null);
    setClock(startOfTests + hours);
    const body = { case: night, items: { q1: 'well' }, at: iso(startOfTests + minutes) };
    const path = `/survey/${study.survey}/response`;
    const { measure } = countedApp();
    const cost = await measure(user, 'POST', path, body);
    expect(cost.answer.status, cost.answer.text).toBe(201);
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 12 });
  });
});
