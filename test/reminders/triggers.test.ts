import { describe, expect, test, vi } from 'vitest';
import { created } from '../support/people.ts';
import { hours, minutes, setClock } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { armedFor, history, remind, ring, scheduled } from '../support/worker/reminders.ts';
import { ringAt } from './support/nudges.ts';
import { addSurvey, following, iso, newMigraines, outcomes, removed } from './support/triggers.ts';

/* The clock of the tests stands at 08:00 UTC on 1 March 2027, 09:00 in Paris. */
const ten = Date.parse('2027-03-01T10:00:00.000Z');

describe('a triggered reminder', () => {
  test('follows each response, is armed by the answer, and names the response wherever it is shown', async () => {
    const { user, phone, after, report } = await newMigraines();
    const first = await report(ten);
    await armedFor(user, iso(ten + 20 * minutes));
    expect(await scheduled(user)).toMatchObject([
      { survey: after, on: '2027-03-01', dueAt: iso(ten + 20 * minutes), counter: 0, response: first },
    ]);
    await ringAt(user, ten + 20 * minutes);
    const second = await report(ten + hours);
    await ringAt(user, ten + 80 * minutes);
    const [later, earlier] = await history(user);
    expect(earlier).toMatchObject({ state: 'sent', response: first, counter: 0 });
    expect(later).toMatchObject({ state: 'sent', response: second, counter: 1 });
    const pushes = await phone.inbox();
    expect(pushes.map(({ data }) => data.notification)).toEqual([earlier.identifier, later.identifier]);
    const { body } = await user.get(`/notification/${later.identifier}`);
    expect(body).toMatchObject({ response: second, dueAt: iso(ten + 80 * minutes) });
    const receipt = await user.post(`/notification/${earlier.identifier}/receipt`, { event: 'opened' });
    expect(receipt.status, receipt.text).toBe(204);
    const receipts = await user.post('/user/me/receipts', {
      receipts: [{ notification: later.identifier, event: 'shown', at: iso(ten + 80 * minutes) }],
    });
    expect(receipts.status, receipts.text).toBe(200);
    expect((await history(user)).map(({ openedAt, shownAt }) => [openedAt, shownAt])).toEqual([
      [undefined, iso(ten + 80 * minutes)],
      [iso(ten + 80 * minutes), undefined],
    ]);
  });

  test('is answered by the response that names it, though another came since', async () => {
    const { study, user, after, report } = await newMigraines();
    await report(ten);
    await armedFor(user, iso(ten + 20 * minutes));
    await ringAt(user, ten + 20 * minutes);
    await report(ten + hours);
    await ringAt(user, ten + 80 * minutes);
    const [later, earlier] = await history(user);
    const night = created(
      await user.post(`/investigation/${study.id}/case`, { label: 'Migraine' }),
    ).identifier;
    const give = (more: object) =>
      user.post(`/survey/${after}/response`, { case: night, items: {}, ...more });
    expect(created(await give({ notification: earlier.identifier })).notification).toBe(earlier.identifier);
    expect(created(await give({})).notification).toBe(later.identifier);
    expect((await history(user)).map(({ answeredAt }) => answeredAt)).toEqual([
      iso(ten + 80 * minutes),
      iso(ten + 80 * minutes),
    ]);
  });

  test('comes at a time of the clock, in the agenda and among the upcoming ones', async () => {
    const { study, user, after, report } = await newMigraines({ at: '18:00', after: 60 });
    const response = await report(ten);
    const due = '2027-03-01T17:00:00.000Z';
    const upcoming = await study.owner.get(`/survey/${after}/reminders/upcoming?user=${user.id}`);
    expect(upcoming.body.occurrences).toEqual([
      { on: '2027-03-01', response, counter: 0, dueAt: due, local: '2027-03-01T18:00:00+01:00' },
    ]);
    const agenda = await user.get('/user/me/agenda');
    const [{ identifier }] = await scheduled(user);
    expect(agenda.body.occurrences).toMatchObject([
      { notification: identifier, survey: after, response, dueAt: due },
    ]);
    // An hour later it is 18:30 in Paris.
    await report(Date.parse('2027-03-01T16:30:00.000Z'));
    expect((await user.get('/user/me/agenda')).body.occurrences).toMatchObject([
      { dueAt: due },
      { dueAt: '2027-03-02T17:00:00.000Z' },
    ]);
  });

  test('follows only responses that fit, and with `each` false only the first one', async () => {
    const { study, user, after, report } = await newMigraines({ where: { q1: ['badly', 'not at all'] } });
    const once = await addSurvey(study, following(study.survey, { each: false, where: { q1: ['badly'] } }));
    for (const [n, q1] of ['well', 'not at all', 'badly', 'badly'].entries())
      await report(ten + n * minutes, { items: { q1 } });
    const shown = (await user.get('/user/me/agenda')).body.occurrences;
    const timesOf = (of: string) =>
      shown
        .filter(({ survey }: { survey: string }) => survey === of)
        .map(({ dueAt }: { dueAt: string }) => dueAt.slice(11, 16));
    expect(timesOf(after)).toEqual(['10:21', '10:22', '10:23']);
    expect(timesOf(once)).toEqual(['10:22']);
  });

  test('of a first response is the only one, also once that response is gone', async () => {
    const { study, user, after, report } = await newMigraines({ each: false });
    const first = await report(ten);
    await ringAt(user, ten + 20 * minutes);
    await removed(study, user, first, 'deleted');
    await report(ten + hours);
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 sent']);
  });
});

describe('a response', () => {
  test('deleted before it is due invalidates its reminder; brought back, it is scheduled again', async () => {
    const { study, user, phone, after, report } = await newMigraines();
    const response = await report(ten);
    await removed(study, user, response, 'deleted');
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 invalidated trigger-gone']);
    await removed(study, study.owner, response, 'active');
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 scheduled']);
    await removed(study, study.owner, response, 'deleted');
    await ringAt(user, ten + 20 * minutes);
    expect(await phone.inbox()).toHaveLength(0);
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 invalidated trigger-gone']);
  });

  test('given before one that was deleted loses its reminder when the survey is archived', async () => {
    const { study, user, after, report } = await newMigraines();
    const later = await report(ten);
    await removed(study, user, later, 'deleted');
    await report(ten + minutes, { at: iso(ten - 5 * minutes) });
    const archived = await study.owner.patch(`/survey/${after}`, { status: 'archived' });
    expect(archived.status, archived.text).toBe(200);
    await vi.waitFor(async () =>
      expect(await outcomes(user, after)).toEqual([
        '03-01T10:15 invalidated survey-archived',
        '03-01T10:20 invalidated trigger-gone',
      ]),
    );
  });

  test('changed by anybody loses and gains its reminder with its answers', async () => {
    const { study, user, after, report } = await newMigraines({ where: { q1: ['badly'] } });
    const response = await report(ten);
    const edit = (q1: string, by = user) => by.patch(`/response/${response}`, { items: { q1 } });
    await edit('well', study.editor);
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 invalidated trigger-gone']);
    await edit('badly');
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 scheduled']);
  });

  test('edited in any way once its reminder was sent, it gets no other', async () => {
    const { study, user, phone, after, report } = await newMigraines({ where: { q1: ['badly'] } });
    const response = await report(ten);
    await ringAt(user, ten + 20 * minutes);
    setClock(ten + 30 * minutes);
    for (const q1 of ['well', 'badly']) await user.patch(`/response/${response}`, { items: { q1 } });
    await removed(study, user, response, 'deleted');
    await removed(study, study.owner, response, 'active');
    await remind({ ...study, survey: after }, following(study.survey, { after: 600 }));
    await remind({ ...study, survey: after }, null);
    await remind({ ...study, survey: after }, following(study.survey, { after: 700 }));
    expect(await scheduled(user)).toEqual([]);
    await ringAt(user, ten + 700 * minutes);
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('given before a change of the reminders still has its own, by the new ones', async () => {
    const { study, user, after, report } = await newMigraines();
    await report(ten);
    await remind({ ...study, survey: after }, following(study.survey, { after: 30 }));
    await ringAt(user, ten + 30 * minutes);
    expect(await outcomes(user, after)).toEqual(['03-01T10:20 invalidated stale', '03-01T10:30 sent']);
  });

  test('uploaded late counts from when it was given: expired by then, or due at once', async () => {
    const { user, phone, after, report } = await newMigraines({}, { expiresAfter: 60 });
    await report(ten, { at: iso(ten - 90 * minutes) });
    await ring(user);
    expect(await outcomes(user, after)).toEqual(['03-01T08:50 skipped expired']);
    await report(ten, { at: iso(ten - 70 * minutes) });
    await ring(user);
    await report(ten, { at: iso(ten - 75 * minutes) });
    await ring(user);
    expect((await outcomes(user, after)).toSorted()).toEqual([
      '03-01T08:50 skipped expired',
      '03-01T09:05 sent',
      '03-01T09:10 sent',
    ]);
    expect(await phone.inbox()).toHaveLength(2);
  });
});

test('nudges follow a triggered reminder until its survey is answered, or a newer one is due', async () => {
  const { user, phone, after, night, report } = await newMigraines({}, { followUps: { every: 10, max: 3 } });
  await report(ten);
  for (const n of [20, 30, 40]) await ringAt(user, ten + n * minutes);
  expect(await phone.inbox()).toHaveLength(3);
  await user.post(`/survey/${after}/response`, { case: night, items: { p1: 'better' } });
  await ringAt(user, ten + 50 * minutes);
  expect(await phone.inbox()).toHaveLength(3);
  const [row] = await history(user);
  expect(row).toMatchObject({
    answeredAt: iso(ten + 40 * minutes),
    followUps: [{}, {}, { reason: 'answered' }],
  });
});

test('compliance counts it on the date on which it was due for the participant', async () => {
  const { study, user, after, report } = await newMigraines();
  // After midnight in Paris.
  const late = Date.parse('2027-03-01T22:50:00.000Z');
  await report(late);
  await ringAt(user, late + 20 * minutes);
  const path = `/investigation/${study.id}/compliance/daily?survey=${after}&from=2027-03-01&to=2027-03-02`;
  const { days } = (await study.owner.get(path)).body;
  expect(days.map(({ date, due, sent }: Record<string, unknown>) => [date, due, sent])).toEqual([
    ['2027-03-01', 0, 0],
    ['2027-03-02', 1, 1],
  ]);
});

test('a preview shows when it would come after an example of a response', async () => {
  const { user, study } = await newMigraines();
  const preview = (more: object, trigger: object = { at: '02:30', after: 60 }) =>
    user.post('/reminders/preview', {
      reminders: following(study.survey, trigger),
      timeZone: 'Europe/Paris',
      ...more,
    });
  expect((await preview({ respondedAt: '2027-03-27T20:00:00.000Z' })).body.occurrences).toEqual([
    {
      on: '2027-03-28',
      counter: 0,
      dueAt: '2027-03-28T01:30:00.000Z',
      local: '2027-03-28T03:30:00+02:00',
      note: expect.stringContaining('Clocks go forward'),
    },
  ]);
  const soon = await preview({ respondedAt: '2027-03-27T20:00:00.000Z' }, { after: 15 });
  expect(soon.body.occurrences).toMatchObject([{ on: '2027-03-27', local: '2027-03-27T21:15:00+01:00' }]);
  expectProblem(await preview({}), 'request.invalid', ['/respondedAt']);
  expectProblem(
    await preview({ respondedAt: '2027-03-27T20:00:00.000Z', startsOn: '2027-03-01' }),
    'request.invalid',
    ['/startsOn'],
  );
});

describe('the trigger of a survey', () => {
  const afresh = async () => {
    const { study, after } = await newMigraines();
    const set = (reminders: object, survey = after) => study.owner.patch(`/survey/${survey}`, { reminders });
    return { study, after, set };
  };

  test('is a survey of the study with the items that it asks for', async () => {
    const { study, set } = await afresh();
    const elsewhere = await newMigraines();
    for (const survey of [elsewhere.after, '0f'.repeat(16)])
      await changingNothing(async () =>
        expectProblem(await set(following(survey)), 'request.invalid', ['/reminders/trigger/survey']),
      );
    for (const [trigger, pointer] of [
      [{ where: { q9: ['x'] } }, '/where/q9'],
      [{ where: { q1: [] } }, '/where/q1'],
      [{ where: {} }, '/where'],
      [{ after: 43_201 }, '/after'],
      [{ after: undefined }, '/after'],
      [{ at: '25:00' }, '/at'],
    ] as const)
      expectProblem(await set(following(study.survey, trigger)), 'request.invalid', [
        `/reminders/trigger${pointer}`,
      ]);
    for (const [more, pointer] of [
      [{ recurrence: '0 8 * * *' }, '/recurrence'],
      [{ ends: 3 }, '/ends'],
      [{ windows: [{ from: '09:00', to: '12:00' }] }, '/windows'],
      [{ trigger: undefined }, '/trigger'],
      [{ type: 'rolling', recurrence: '0 8 * * *' }, '/trigger'],
      [{ type: 'rolling', trigger: undefined }, '/recurrence'],
    ] as const)
      expectProblem(await set(following(study.survey, {}, more)), 'request.invalid', [
        `/reminders${pointer}`,
      ]);
  });

  test('may be the survey itself, or a circle of surveys, after five minutes each', async () => {
    const { study, after, set } = await afresh();
    const refused = async (answer: Promise<Parameters<typeof expectProblem>[0]>, field: string) =>
      expectProblem(await answer, 'request.invalid', [`/reminders/trigger/${field}`]);
    await refused(set(following(after, { after: 4 })), 'after');
    expect((await set(following(after, { after: 5 }))).status).toBe(200);
    const identifier = '1234567890abcdef'.repeat(2);
    const own = { name: 'Own', items: [], identifier };
    const create = (trigger: object) =>
      study.owner.post(`/investigation/${study.id}/survey`, {
        ...own,
        reminders: following(identifier, trigger),
      });
    await refused(create({ after: 4 }), 'after');
    expect((await create({ after: 5 })).status).toBe(201);

    // diary -> after -> third -> diary
    expect((await set(following(study.survey, { after: 4 }))).status).toBe(200);
    const third = await addSurvey(study, following(after, { after: 5 }));
    await refused(set(following(third, { after: 5 }), study.survey), 'survey');
    expect((await set(following(study.survey, { after: 5 }))).status).toBe(200);
    await refused(set(following(third, { after: 4 }), study.survey), 'after');
    expect((await set(following(third, { after: 5 }), study.survey)).status).toBe(200);
    await refused(set(following(study.survey, { after: 4 })), 'after');
  });
});

describe('the cost of a response', () => {
  const costOf = async (reminded: boolean) => {
    const { study, user, night, after } = await newMigraines();
    if (!reminded) await remind({ ...study, survey: after }, null);
    const body = { case: night, items: { q1: 'badly' } };
    const path = `/survey/${study.survey}/response`;
    const { answer, ...cost } = await countedApp().measure(user, 'POST', path, body);
    expect(answer.status).toBe(201);
    return cost;
  };

  // The budgets of all requests hold its cost without triggers.
  test('is one claim and one record more, if the survey triggers', async () => {
    const [plain, triggering] = [await costOf(false), await costOf(true)];
    expect(triggering.roundTrips - plain.roundTrips).toBe(2);
    expect(triggering.rowsRead - plain.rowsRead).toBeLessThanOrEqual(28);
    expect(triggering.rowsWritten - plain.rowsWritten).toBe(2);
  });
});
