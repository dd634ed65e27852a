import { describe, expect, test } from 'vitest';
import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { linesOf } from '../support/lists.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { days, hours, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/** Answers belong to reminders, and may be late. Chidi is reminded at 21:30 in Paris, and has two hours to answer. */

const evening = Date.parse('2027-03-01T20:30:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const within = { ...daily, answerWithin: 120 };

async function evenings(reminders: object, count = 2) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const { responder: user, survey } = study;
  await newPhone(user);
  await pendingOf(user);
  const night = await newCase(study, user);
  const send = (given: number, more: object = {}, at = given) => {
    setClock(at);
    const body = { case: night, items: { q1: 'well' }, ...(at !== given && { at: iso(given) }), ...more };
    return user.post(`/survey/${survey}/response`, body);
  };
  for (let n = 0; n < count; n++) {
    setClock(evening + n * days);
    await ring(user);
  }
  const notificationOf = (on: string, revision = 0) => occurrenceIdentifier(user.id, survey, revision, on);
  return { study, user, night, send, notificationOf };
}

const first = '2027-03-01';
const second = '2027-03-02';

const answersOf = async (user: Person): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await history(user)).map(({ on, answeredAt, answeredLate }) => [
      on.slice(5),
      `${answeredAt?.slice(5, 16) ?? 'none'}${answeredLate ? ' late' : ''}`,
    ]),
  );

const complianceOf = async ({ owner, id }: Study) => {
  const path = `/investigation/${id}/compliance?from=2027-03-01&to=2027-03-04`;
  const { body } = await owner.get(path);
  const daily = (await owner.get(path.replace('?', '/daily?'))).body.days;
  const csv = (await owner.get(path, { accept: 'text/csv' })).text.split('\r\n');
  const column = (csv[0] ?? '').split(',').indexOf('answeredLate');
  const counts = ({ answered, answeredLate }: Record<string, number>) => `${answered}, ${answeredLate} late`;
  const chidi = body.participants.find(({ name }: { name: string }) => name === 'Chidi');
  expect(csv.find((row) => row.includes(',Chidi,'))?.split(',')[column]).toBe(String(chidi.answeredLate));
  return { chidi: counts(chidi), totals: counts(body.totals), daily: daily.map(counts) };
};

describe('a response', () => {
  test('belongs to the reminder that it answers, and is late after the time that this sets', async () => {
    const { study, user, send, notificationOf } = await evenings(within, 1);
    expect(created(await send(evening + 120 * minutes))).toMatchObject({
      notification: notificationOf(first),
      late: false,
    });
    expect(await answersOf(user)).toMatchObject({ '03-01': '03-01T22:30' });
    // It has its answer: another one belongs to it only by its name.
    expect(created(await send(evening + 121 * minutes))).toMatchObject({ notification: null, late: false });
    const late = created(await send(evening + 121 * minutes, { notification: notificationOf(first) }));
    expect(late).toMatchObject({ notification: notificationOf(first), late: true });
    // The first answer counts, and was in time.
    expect(await answersOf(user)).toMatchObject({ '03-01': '03-01T22:30' });
    expect((await complianceOf(study)).totals).toBe('1, 0 late');
  });

  test('to the reminder that it names, though another came since', async () => {
    const { study, user, send, notificationOf } = await evenings(within);
    const at = evening + days + 10 * minutes;
    const named = created(await send(at, { notification: notificationOf(first) }));
    expect(named).toMatchObject({ notification: notificationOf(first), late: true });
    expect(await answersOf(user)).toMatchObject({ '03-01': '03-02T20:40 late', '03-02': 'none' });
    expect(await complianceOf(study)).toEqual({
      chidi: '1, 1 late',
      totals: '1, 1 late',
      daily: ['1, 1 late', '0, 0 late', '0, 0 late', '0, 0 late'],
    });
    created(await send(at + minutes));
    expect(await answersOf(user)).toMatchObject({ '03-02': '03-02T20:41' });
    expect((await complianceOf(study)).totals).toBe('2, 1 late');
  });

  test('says so alone, in lists, in the feed, as CSV and in the export, and keeps it through edits', async () => {
    const { study, user, send, notificationOf } = await evenings(within);
    const late = { notification: notificationOf(second), late: true };
    const { uri } = created(await send(evening + days + 3 * hours));
    expect((await study.owner.get(uri)).body).toMatchObject(late);
    await user.patch(uri, { items: { q1: 'badly' } });
    await remind(study, { ...within, answerWithin: 1000 });
    expect((await study.owner.get(uri)).body).toMatchObject({ ...late, items: { q1: 'badly' } });
    const list = `/investigation/${study.id}/responses`;
    expect((await study.owner.get(list)).body.responses).toMatchObject([late]);
    const csv = (await study.owner.get(list, { accept: 'text/csv' })).text.split('\r\n');
    const [head = [], row = []] = csv.map((line) => line.split(','));
    expect(row[head.indexOf('notification')]).toBe(late.notification);
    expect(row[head.indexOf('late')]).toBe('true');
    const { changes } = (await study.owner.get(`/investigation/${study.id}/changes?include=body`)).body;
    expect(changes.find(({ kind }: { kind: string }) => kind === 'response').body).toMatchObject(late);
    const exported = linesOf((await user.get('/user/me/export')).text);
    expect(exported.filter(({ kind }) => kind === 'response')).toMatchObject([late]);
  });

  test('answers no reminder before the first, and is then not late', async () => {
    const { user, send } = await evenings(within, 0);
    expect(created(await send(evening - minutes))).toMatchObject({ notification: null, late: false });
    expect(await answersOf(user)).toMatchObject({ '03-01': 'none' });
  });

  test('is as the interface shows it where nothing reminds', async () => {
    const { send } = await evenings(daily, 0);
    const response = created(await send(evening - minutes));
    expect(response).not.toHaveProperty('notification');
    expect(response).not.toHaveProperty('late');
  });

  test('names a notification of its own author and survey that was due by then, or comes within a day', async () => {
    const { study, user, night, send, notificationOf } = await evenings(within);
    const { survey, other, owner } = study;
    const at = evening + days + hours;
    const naps = created(
      await owner.post(`/investigation/${study.id}/survey`, { name: 'Naps', items: [] }),
    ).identifier;
    await changingNothing(async () => {
      for (const notification of [
        'x',
        null,
        'ab'.repeat(16),
        '0'.repeat(32),
        occurrenceIdentifier(other.id, survey, 0, first),
        notificationOf(first, 1),
        notificationOf('2027-02-28'),
        // Due in the evening after the next.
        notificationOf('2027-03-04'),
      ])
        expectProblem(await send(at, { notification }), 'request.invalid', ['/notification']);
      const early = { notification: notificationOf(second) };
      expectProblem(await send(evening - minutes, early, at), 'request.invalid', ['/notification']);
      const body = { case: night, items: {}, notification: notificationOf(first) };
      expectProblem(await user.post(`/survey/${naps}/response`, body), 'request.invalid', ['/notification']);
    });
  });

  test('is repeated with the notification that it names', async () => {
    const { send, notificationOf } = await evenings(within);
    const at = evening + days + hours;
    const named = { identifier: 'cd'.repeat(16), notification: notificationOf(first) };
    created(await send(at, named));
    await changingNothing(async () => {
      expect((await send(at, named)).status).toBe(200);
      const other = { ...named, notification: notificationOf(second) };
      expectProblem(await send(at, other), 'identifier.taken');
    });
  });
});

describe('a phone that was offline', () => {
  test('is in time by when the answer was given, days later, and late answers count on the date of the reminder', async () => {
    const { study, user, send } = await evenings(within, 3);
    const sent = evening + 2 * days + 10 * hours;
    expect(created(await send(evening + hours, {}, sent)).late).toBe(false);
    expect(created(await send(evening + days + 5 * hours, {}, sent)).late).toBe(true);
    expect(await answersOf(user)).toMatchObject({ '03-01': '03-01T21:30', '03-02': '03-03T01:30 late' });
    expect(await complianceOf(study)).toEqual({
      chidi: '2, 1 late',
      totals: '2, 1 late',
      daily: ['1, 0 late', '1, 1 late', '0, 0 late', '0, 0 late'],
    });
    // An earlier answer that arrives later takes its place.
    expect(created(await send(evening + days + hours, {}, sent + hours)).late).toBe(false);
    expect(await answersOf(user)).toMatchObject({ '03-02': '03-02T21:30' });
    expect((await complianceOf(study)).totals).toBe('2, 0 late');
  });

  test('has its receipts counted by when they happened, days later', async () => {
    const { study, user, notificationOf } = await evenings(within, 2);
    setClock(evening + 5 * days);
    const receipts = [
      { notification: notificationOf(first), event: 'shown', at: iso(evening + minutes) },
      { notification: notificationOf(first), event: 'opened', at: iso(evening + 2 * minutes) },
    ];
    expect((await user.post('/user/me/receipts', { receipts })).body).toEqual({ stored: 2, refused: [] });
    const shown = (await history(user)).find(({ on }) => on === first);
    expect(shown).toMatchObject({ shownAt: receipts[0]?.at, openedAt: receipts[1]?.at });
    const path = `/investigation/${study.id}/compliance/daily?from=2027-03-01&to=2027-03-02`;
    expect((await study.owner.get(path)).body.days).toMatchObject([
      { date: first, shown: 1, opened: 1 },
      { date: second, shown: 0, opened: 0 },
    ]);
  });
});

describe('with late answers refused', () => {
  const closing = { ...within, lateAnswers: 'refuse' };

  test('a late one changes nothing, and one that was given in time is taken whenever it arrives', async () => {
    const { user, send, notificationOf } = await evenings(closing);
    const late = evening + days + 121 * minutes;
    await changingNothing(async () => {
      expectProblem(await send(late), 'survey.closed');
      expectProblem(await send(late, { notification: notificationOf(first) }), 'survey.closed');
      const named = { notification: notificationOf(first) };
      expectProblem(await send(evening + days + minutes, named, late), 'survey.closed');
    });
    expect((await send(evening + days + 120 * minutes, {}, late)).status).toBe(201);
    expect(await answersOf(user)).toMatchObject({ '03-01': 'none', '03-02': '03-02T22:30' });
  });

  test('one that answers no reminder is taken', async () => {
    const { send } = await evenings(closing, 0);
    expect((await send(evening - hours)).status).toBe(201);
  });
});

test('reminders say how long an answer takes, and what becomes of later ones', async () => {
  const study = await sleepStudy();
  const set = (more: object) =>
    study.owner.patch(`/survey/${study.survey}`, { reminders: { ...daily, ...more } });
  for (const [more, pointer] of [
    [{ answerWithin: 0 }, 'answerWithin'],
    [{ answerWithin: 86_401 }, 'answerWithin'],
    [{ answerWithin: 1.5 }, 'answerWithin'],
    [{ answerWithin: null }, 'answerWithin'],
    [{ answerWithin: 10, lateAnswers: 'drop' }, 'lateAnswers'],
    [{ lateAnswers: 'refuse' }, 'lateAnswers'],
  ] as const)
    expectProblem(await set(more), 'request.invalid', [`/reminders/${pointer}`]);
  for (const more of [{ answerWithin: 1 }, { answerWithin: 86_400, lateAnswers: 'refuse' }])
    expect((await set(more)).body.reminders).toMatchObject(more);
});
