import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../support/engine.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { days, hours, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dropAlarm, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

/*
 * An answer belongs to one reminder at most. Chidi keeps a diary in Paris: 22:00 is 21:00 UTC, and the reminder expires
 * six hours later.
 */

const monday = Date.parse('2027-03-01T21:00:00.000Z');
const diary = {
  ...daily,
  recurrence: '0 22 * * *',
  expiresAfter: 360,
  unlessAnswered: true,
  notification: { subject: 'Diary', body: 'How was your day?' },
};
const iso = (ms: number) => new Date(ms).toISOString();
const dates = ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04'] as const;

async function diaryOf(reminders: object = diary) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const { responder: chidi, survey } = study;
  const phone = await newPhone(chidi);
  // Dana is planned after the request: nobody is planned behind the test's back.
  for (const person of [chidi, study.other]) await pendingOf(person);
  const night = await newCase(study, chidi);
  const send = (given: number, more: object = {}, at = given) => {
    setClock(at);
    const body = { case: night, items: { q1: 'long day' }, ...(at !== given && { at: iso(given) }), ...more };
    return chidi.post(`/survey/${survey}/response`, body);
  };
  const ringOn = async (at: number) => {
    setClock(at);
    await ring(chidi);
  };
  const idOf = (on: string, { slot, revision = 0 }: { slot?: number; revision?: number } = {}) =>
    occurrenceIdentifier(
      chidi.id,
      survey,
      revision,
      slot === undefined ? on : `${on}/${String(slot).padStart(3, '0')}`,
    );
  return { study, chidi, phone, send, ringOn, idOf };
}

/** By date, and slot: the outcome, and when it was answered. */
const diaryDays = async (of: Person): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await history(of)).map(({ on, slot, state, reason, answeredAt }) => [
      `${on.slice(5)}${slot === undefined ? '' : `/${slot}`}`,
      [reason ?? state, answeredAt?.slice(5, 16) ?? 'no answer'].join(' '),
    ]),
  );

/** Answered of due on each date; the totals and the participant's counts are their sums. */
async function answeredByDate({ owner, id, responder }: Study) {
  const path = `/investigation/${id}/compliance`;
  const period = `from=${dates[0]}&to=${dates.at(-1)}`;
  const { totals, participants } = (await owner.get(`${path}?${period}`)).body;
  const found = (await owner.get(`${path}/daily?${period}`)).body.days;
  const own = participants.find(({ user }: { user: string }) => user === responder.id);
  const sum = (of: 'due' | 'answered') =>
    found.reduce((all: number, day: Record<string, number>) => all + (day[of] ?? 0), 0);
  for (const counts of [totals, own])
    expect({ due: counts.due, answered: counts.answered }).toEqual({
      due: sum('due'),
      answered: sum('answered'),
    });
  return found.map(({ answered, due }: Record<string, number>) => `${answered}/${due}`);
}

describe('an answer after midnight', () => {
  const late = monday + 140 * minutes;

  test.each([
    ['with the name of its reminder', true],
    ['without a name', false],
  ])('%s belongs to the evening before, and the next evening is reminded', async (_, isNamed) => {
    const { study, chidi, phone, send, ringOn, idOf } = await diaryOf();
    await ringOn(monday);
    const named = isNamed ? { notification: idOf(dates[0]) } : {};
    expect(created(await send(late, named))).toMatchObject({ notification: idOf(dates[0]) });
    const agenda = (await chidi.get('/user/me/agenda?count=2')).body.occurrences;
    expect(agenda.map(({ on }: { on: string }) => on)).toEqual([dates[1], dates[2]]);
    await ringOn(monday + days);
    expect(await phone.inbox()).toHaveLength(2);
    expect(await diaryDays(chidi)).toMatchObject({ '03-01': 'sent 03-01T23:20', '03-02': 'sent no answer' });
    expect(await answeredByDate(study)).toEqual(['1/1', '0/1', '0/0', '0/0']);
  });

  test.each([true, false])('kept offline until Wednesday belongs to Monday (named: %s)', async (isNamed) => {
    const { study, chidi, send, ringOn, idOf } = await diaryOf();
    for (const n of [0, 1]) await ringOn(monday + n * days);
    const named = isNamed ? { notification: idOf(dates[0]) } : {};
    const sentAt = monday + days + 14 * hours;
    expect(created(await send(late, named, sentAt))).toMatchObject({ notification: idOf(dates[0]) });
    await ringOn(monday + 2 * days);
    expect(await diaryDays(chidi)).toMatchObject({
      '03-01': 'sent 03-01T23:20',
      '03-02': 'sent no answer',
      '03-03': 'sent no answer',
    });
    expect((await history(chidi)).find(({ on }) => on === dates[0])).toMatchObject({
      answerReceivedAt: iso(sentAt),
    });
    expect(await answeredByDate(study)).toEqual(['1/1', '0/1', '0/1', '0/0']);
  });

  test('to a nudge of before midnight ends its nudges, and not those of the next evening', async () => {
    const nudging = { ...diary, followUps: { every: 110, max: 2 } };
    const { study, chidi, phone, send, ringOn } = await diaryOf(nudging);
    await ringOn(monday);
    await ringAt(chidi, monday + 110 * minutes);
    expect((await send(monday + 125 * minutes)).status).toBe(201);
    await ringAt(chidi, monday + 220 * minutes);
    expect(await phone.inbox()).toHaveLength(2);
    await ringOn(monday + days);
    await ringAt(chidi, monday + days + 110 * minutes);
    expect(await phone.inbox()).toHaveLength(4);
    expect(await answeredByDate(study)).toEqual(['1/1', '0/1', '0/0', '0/0']);
  });
});

describe('an answer before its reminder', () => {
  test('belongs to the one of its date, which is skipped, and counts once', async () => {
    const { study, chidi, phone, send, ringOn, idOf } = await diaryOf();
    await ringOn(monday);
    expect(created(await send(monday + 14 * hours))).toMatchObject({ notification: idOf(dates[1]) });
    await ringOn(monday + days);
    expect(await phone.inbox()).toHaveLength(1);
    expect(await diaryDays(chidi)).toMatchObject({
      '03-01': 'sent no answer',
      '03-02': 'answered 03-02T11:00',
    });
    expect(await answeredByDate(study)).toEqual(['0/1', '1/1', '0/0', '0/0']);
  });

  test('that a phone names belongs to it though dates are not skipped: its clock was ahead', async () => {
    const { study, chidi, phone, send, ringOn, idOf } = await diaryOf({ ...diary, unlessAnswered: false });
    await ringOn(monday);
    const early = { notification: idOf(dates[1]) };
    expect(created(await send(monday + days - 2 * hours, early))).toMatchObject({ ...early, late: false });
    expect((await chidi.get('/user/me/agenda?count=1')).body.occurrences[0].on).toBe(dates[2]);
    await ringOn(monday + days);
    expect(await phone.inbox()).toHaveLength(1);
    expect(await answeredByDate(study)).toEqual(['0/1', '1/1', '0/0', '0/0']);
  });

  test('leaves it none to take: another, when it is due and nobody has looked, belongs to none', async () => {
    const { send, idOf } = await diaryOf();
    expect(created(await send(monday - 10 * minutes))).toMatchObject({ notification: idOf(dates[0]) });
    expect(created(await send(monday + 1_000))).not.toHaveProperty('notification');
  });

  test('that was deleted holds back nothing', async () => {
    const { study, chidi, phone, send, ringOn } = await diaryOf();
    const identifier = String(created(await send(monday - hours)).uri).slice('/response/'.length);
    const deletion = { responses: [{ identifier }], status: 'deleted' };
    expect((await study.owner.post(`/investigation/${study.id}/delete-items`, deletion)).status).toBe(204);
    await ringOn(monday);
    expect(await phone.inbox()).toHaveLength(1);
    expect((await diaryDays(chidi))['03-01']).toMatch(/^sent /);
  });

  test('counts for its date when the reminders change before it, and for nothing else', async () => {
    const { study, chidi, phone, send, ringOn } = await diaryOf();
    expect((await send(monday - 8 * hours)).status).toBe(201);
    await remind(study, { ...diary, recurrence: '30 22 * * *' });
    await pendingOf(chidi);
    await ringOn(monday + 30 * minutes);
    expect(await phone.inbox()).toEqual([]);
    expect(await answeredByDate(study)).toEqual(['1/1', '0/0', '0/0', '0/0']);
  });
});

describe('with windows', () => {
  const windows = [
    { from: '10:00', to: '10:01' },
    { from: '14:00', to: '14:01' },
    { from: '23:00', to: '23:01' },
  ];
  const sampling = { ...diary, recurrence: '* * * * *', windows };
  const [ten, two, eleven] = ['09:00', '13:00', '22:00'].map((at) =>
    Date.parse(`${dates[0]}T${at}:00.000Z`),
  ) as [number, number, number];

  test('each answer is of one reminder: the others of its date come', async () => {
    const { study, chidi, phone, send, ringOn, idOf } = await diaryOf(sampling);
    await ringOn(ten);
    expect(created(await send(ten + minutes))).toMatchObject({ notification: idOf(dates[0], { slot: 0 }) });
    await ringOn(two);
    expect(await phone.inbox()).toHaveLength(2);
    await ringOn(eleven);
    const past = { notification: idOf(dates[0], { slot: 2 }) };
    expect((await send(eleven + 80 * minutes, past)).status).toBe(201);
    await ringOn(ten + days);
    expect(await phone.inbox()).toHaveLength(4);
    expect(await diaryDays(chidi)).toMatchObject({
      '03-01/0': 'sent 03-01T09:01',
      '03-01/1': 'sent no answer',
      '03-01/2': 'sent 03-01T23:20',
      '03-02/0': 'sent no answer',
    });
    expect(await answeredByDate(study)).toEqual(['2/3', '0/1', '0/0', '0/0']);
  });
});

describe('while the service is behind', () => {
  test('a name is taken of an occurrence that has no row yet, which then has the answer', async () => {
    const { study, chidi, send, ringOn, idOf } = await diaryOf({ ...diary, unlessAnswered: false });
    await ringOn(monday);
    await dropAlarm(chidi);
    const named = { notification: idOf(dates[2]) };
    // Given on Wednesday evening and sent on Thursday; another one follows without a name.
    expect(created(await send(monday + 2 * days + hours, named, monday + 3 * days - hours))).toMatchObject(
      named,
    );
    const body = created(await send(monday + 2 * days + 2 * hours, {}, monday + 3 * days - hours));
    expect(body).toMatchObject({ notification: idOf(dates[1]) });
    setClock(monday + 3 * days);
    const alarms = { arm: async () => {}, deliver: async () => {} };
    await deliver({ ...createServices(env), alarms, log: () => {} }, chidi.id);
    expect(await diaryDays(chidi)).toMatchObject({
      '03-01': 'sent no answer',
      '03-02': 'expired 03-03T23:00',
      '03-03': 'expired 03-03T22:00',
      '03-04': 'sent no answer',
    });
    expect(await answeredByDate(study)).toEqual(['0/1', '1/1', '1/1', '0/1']);
  });

  test('so is one that a phone kept since before the reminders changed', async () => {
    const { study, chidi, send, ringOn, idOf } = await diaryOf();
    await ringOn(monday);
    setClock(monday + hours);
    await remind(study, { ...diary, recurrence: '0 20 * * *' });
    await pendingOf(chidi);
    const kept = { notification: idOf(dates[2]), identifier: 'ab'.repeat(16) };
    const [given, sentAt] = [monday + 2 * days + minutes, monday + 3 * days];
    expect((await send(given, kept, sentAt)).status).toBe(201);
    expect((await send(given, kept, sentAt + hours)).status).toBe(200);
    const unknown = { notification: idOf(dates[2], { revision: 2 }) };
    expectProblem(await send(given, unknown, sentAt), 'request.invalid', ['/notification']);
  });

  test('so is one that its person named before they left', async () => {
    const { study, chidi, send, idOf } = await diaryOf();
    setClock(monday + hours);
    await study.owner.delete(`/investigation/${study.id}/member/${chidi.id}`);
    const named = { notification: idOf(dates[1]) };
    const { status, text, body } = await send(monday - hours, named, monday + 2 * hours);
    expect(status, text).toBe(202);
    expect(body).toEqual({ setAside: 'left-study' });
  });
});

test('two answers to one reminder can be told, and count once', async () => {
  const { study, chidi, send, ringOn, idOf } = await diaryOf();
  await ringOn(monday);
  const named = { notification: idOf(dates[0]) };
  for (const n of [1, 2]) expect(created(await send(monday + n * minutes, named))).toMatchObject(named);
  const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
  expect(responses).toMatchObject([named, named]);
  expect((await diaryDays(chidi))['03-01']).toBe('sent 03-01T21:01');
  expect(await answeredByDate(study)).toEqual(['1/1', '0/0', '0/0', '0/0']);
});

test('a reminder that was skipped for want of a phone is answered by its name', async () => {
  const { study, chidi, phone, send, ringOn, idOf } = await diaryOf();
  expect((await chidi.delete(`/device/${phone.id}`)).status).toBe(204);
  await ringOn(monday);
  const named = { notification: idOf(dates[0]) };
  expect(created(await send(monday + 140 * minutes, named))).toMatchObject(named);
  await ringOn(monday + days);
  expect(await diaryDays(chidi)).toMatchObject({
    '03-01': 'no-device 03-01T23:20',
    '03-02': 'no-device no answer',
  });
  expect(await answeredByDate(study)).toEqual(['1/1', '0/1', '0/0', '0/0']);
});

test('a traveller’s answer belongs to the evening that they were reminded of, whatever date they land on', async () => {
  const { study, chidi, phone, send, ringOn, idOf } = await diaryOf();
  await ringOn(monday);
  // In Tokyo it is Tuesday, 08:00.
  await chidi.patch(`/device/${phone.id}`, { timeZone: 'Asia/Tokyo' });
  expect(created(await send(monday + 2 * hours))).toMatchObject({ notification: idOf(dates[0]) });
  await ringOn(Date.parse('2027-03-02T13:00:00.000Z'));
  expect(await phone.inbox()).toHaveLength(2);
  expect(await answeredByDate(study)).toEqual(['1/1', '0/1', '0/0', '0/0']);
});
