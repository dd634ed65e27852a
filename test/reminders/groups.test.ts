import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { arm, declare, newSurvey, regroup } from '../support/worker/groups.ts';
import { daily, dueAt, history, jobsDone, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

const forB = { arm: ['b'] };

/** Each day at 12:00 in Paris, open for six hours. */
const noon = { ...daily, recurrence: '0 12 * * *' };
const at = (time: string, on = '2027-03-01') => Date.parse(`${on}T${time}:00.000Z`);

/** At nine on Monday Chidi is in arm b, and Dana in arm a. The diary is for arm b, and reminds at noon in Paris. */
async function twoArms(reminders: object = noon) {
  setClock(startOfTests);
  const study = await sleepStudy();
  await declare(study, arm);
  await regroup(study, study.responder, { arm: 'b' });
  await regroup(study, study.other, { arm: 'a' });
  for (const person of [study.responder, study.other]) await newPhone(person);
  later(minutes);
  const answer = await study.owner.patch(`/survey/${study.survey}`, { reminders, for: forB });
  expect(answer.status, answer.text).toBe(200);
  await jobsDone();
  return { study, chidi: study.responder, dana: study.other };
}

/** The history, oldest first: `03-01T11:00 sent`. */
const outcomes = async (of: Person) =>
  (await history(of))
    .toReversed()
    .map(({ dueAt: due, state, reason }) => [due.slice(5, 16), state, ...(reason ? [reason] : [])].join(' '));

const upcomingOf = async ({ survey, owner }: Study, { id }: Person) =>
  (await owner.get(`/survey/${survey}/reminders/upcoming?count=2&user=${id}`)).body.occurrences.map(
    ({ dueAt: due }: { dueAt: string }) => due.slice(5, 16),
  );

const agendaOf = async (of: Person) =>
  (await of.get('/user/me/agenda?count=2')).body.occurrences.map(({ dueAt: due }: { dueAt: string }) =>
    due.slice(5, 16),
  );

describe('somebody whom a survey is not for', () => {
  test('has none of its reminders: no plan, no push, and none ahead', async () => {
    const { study, chidi, dana } = await twoArms();
    await pendingOf(chidi);
    expect(await outcomes(dana)).toEqual([]);
    for (const asked of [upcomingOf(study, dana), agendaOf(dana)]) expect(await asked).toEqual([]);
    for (const asked of [upcomingOf(study, chidi), agendaOf(chidi)])
      expect(await asked).toEqual(['03-01T11:00', '03-02T11:00']);
    for (const person of [chidi, dana]) await ringAt(person, at('11:00'));
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
    expect(await outcomes(dana)).toEqual([]);
  });

  test('comes into the arm, and is reminded from then on, of what is still open at once', async () => {
    const { study, dana } = await twoArms();
    // The noon of Monday is open until 18:00, and that of Tuesday over.
    setClock(at('18:30', '2027-03-02'));
    await regroup(study, dana, { arm: 'b' });
    expect(await outcomes(dana)).toEqual(['03-03T11:00 scheduled']);
    await regroup(study, dana, { arm: 'a' });
    setClock(at('15:30', '2027-03-03'));
    await regroup(study, dana, { arm: 'b' });
    await ring(dana);
    expect(await outcomes(dana)).toEqual(['03-03T11:00 sent', '03-04T11:00 scheduled']);
  });

  test('leaves the arm, and has nothing more to come; what was planned says why', async () => {
    const { study, chidi } = await twoArms();
    await pendingOf(chidi);
    await regroup(study, chidi, { arm: 'a' });
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 invalidated not-in-group']);
    for (const asked of [upcomingOf(study, chidi), agendaOf(chidi)]) expect(await asked).toEqual([]);
    await ringAt(chidi, at('11:00'));
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 invalidated not-in-group']);
    // It counts nowhere.
    const { counts } = (await study.owner.get(`/investigation/${study.id}/compliance`)).body;
    expect(JSON.stringify(counts ?? [])).not.toContain('not-in-group');
  });

  test('takes back one that was due while the service was behind, without a count', async () => {
    const { study, chidi } = await twoArms();
    await pendingOf(chidi);
    setClock(at('11:02'));
    await regroup(study, chidi, { arm: 'a' });
    await ring(chidi);
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 invalidated not-in-group']);
    await regroup(study, chidi, { arm: 'b' });
    await ring(chidi);
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
  });

  test('who changes to and fro within a day is reminded once on the date', async () => {
    const { study, chidi } = await twoArms();
    await pendingOf(chidi);
    await regroup(study, chidi, { arm: 'a' });
    await regroup(study, chidi, { arm: 'b' });
    await ringAt(chidi, at('11:00'));
    for (const time of ['11:05', '11:10', '14:00', '16:55', '17:05'])
      for (const value of ['a', 'b']) {
        setClock(at(time));
        await regroup(study, chidi, { arm: value });
        await ringAt(chidi, at(time));
      }
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
    await ringAt(chidi, at('11:00', '2027-03-02'));
    expect((await outcomes(chidi)).slice(0, 2)).toEqual(['03-01T11:00 sent', '03-02T11:00 sent']);
  });

  test('who changes to and fro while the push is under way is reminded once', async () => {
    const { study, chidi } = await twoArms();
    await pendingOf(chidi);
    setClock(at('11:00'));
    const alarms = { arm: async () => {}, deliver: async () => {} };
    const services = { ...createServices(env), alarms, log: () => {} };
    const push = {
      ...services.push,
      send: async (message: Parameters<typeof services.push.send>[0]) => {
        for (const value of ['a', 'b']) await regroup(study, chidi, { arm: value });
        return services.push.send(message);
      },
    };
    await deliver({ ...services, push }, chidi.id);
    for (const time of ['11:01', '11:02', '12:00']) await ringAt(chidi, at(time));
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
  });

  test('is not reminded twice on a date when reminders change meanwhile', async () => {
    const { study, chidi } = await twoArms();
    await pendingOf(chidi);
    await ringAt(chidi, at('11:00'));
    await regroup(study, chidi, { arm: 'a' });
    await remind(study, { ...noon, recurrence: '0 14 * * *' });
    await regroup(study, chidi, { arm: 'b' });
    await ringAt(chidi, at('13:00'));
    expect(await outcomes(chidi)).toEqual([
      '03-01T11:00 sent',
      '03-02T11:00 invalidated not-in-group',
      '03-02T13:00 scheduled',
    ]);
  });

  test('gets no nudge, and gets them again once back', async () => {
    const followUps = { every: 60, max: 3, stop: 'answered' };
    const { study, chidi } = await twoArms({ ...noon, followUps });
    await pendingOf(chidi);
    await ringAt(chidi, at('11:00'));
    await regroup(study, chidi, { arm: 'a' });
    const sentOf = async () => (await history(chidi)).find(({ state }) => state === 'sent');
    const { identifier } = await sentOf();
    const snooze = await chidi.post(`/notification/${identifier}/snooze`, { minutes: 30 });
    expectProblem(snooze, 'notification.expired');
    expect(snooze.body.detail).toMatch(/not for you any more/);
    await ringAt(chidi, at('12:00'));
    const left = { kind: 'nudge', state: 'skipped', reason: 'not-in-group' };
    expect(await sentOf()).toMatchObject({ followUps: [left] });
    await regroup(study, chidi, { arm: 'b' });
    await ringAt(chidi, at('13:00'));
    expect(await sentOf()).toMatchObject({ followUps: [left, { kind: 'nudge', state: 'sent' }] });
  });

  test('is reminded of responses from then on, and not of those that were due before', async () => {
    const { study, dana } = await twoArms();
    const pain = await newSurvey(study, {
      for: forB,
      reminders: {
        type: 'triggered',
        recurrence: null,
        trigger: { survey: study.survey, after: 180 },
        expiresAfter: 60,
        notification: { subject: 'Pain', body: 'And now?' },
      },
    });
    await study.owner.patch(`/survey/${study.survey}`, { for: null });
    await jobsDone();
    const night = await newCase(study, dana);
    await newResponse(study, dana, night);
    setClock(at('10:00'));
    await newResponse(study, dana, night);
    const ofPain = async () => (await history(dana)).filter(({ survey }) => survey === pain);
    expect(await ofPain()).toEqual([]);
    // That of 12:01 in Paris is over by now, and that of 14:00 is to come.
    setClock(at('12:30'));
    await regroup(study, dana, { arm: 'b' });
    expect(await ofPain()).toMatchObject([{ dueAt: '2027-03-01T13:00:00.000Z', state: 'scheduled' }]);
  });
});

test('a change of arms is seen before it is made, and does just that', async () => {
  const { study, chidi, dana } = await twoArms();
  await pendingOf(chidi);
  await ringAt(chidi, at('11:00'));
  setClock(at('12:00'));
  const members = [
    { user: chidi.id, properties: { arm: 'a' } },
    { user: dana.id, properties: { arm: 'b' } },
  ];
  const path = `/investigation/${study.id}/members/dates`;
  const { page } = await changingNothing(async () => {
    const answer = await study.editor.post(path, { members, dryRun: true });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  });
  const timesOf = (of: Person) => {
    const { before, after } = page.find(({ user }: { user: string }) => user === of.id);
    return [before, after].map((times: string[]) => times.map((due) => due.slice(5, 16)));
  };
  expect(timesOf(chidi)).toEqual([['03-02T11:00', '03-03T11:00', '03-04T11:00'], []]);
  expect(timesOf(dana)).toEqual([[], ['03-01T11:00', '03-02T11:00', '03-03T11:00']]);
  expect((await study.editor.post(path, { members })).status).toBe(200);
  await jobsDone();
  for (const person of [chidi, dana]) await ringAt(person, at('12:01'));
  expect(await outcomes(chidi)).toEqual(['03-01T11:00 sent', '03-02T11:00 invalidated not-in-group']);
  expect(await outcomes(dana)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
});

describe('a survey that is for others from now on', () => {
  const change = (study: Study, body: object) =>
    study.editor.post(`/survey/${study.survey}/reminders/change`, body);

  const times = (rows: { user: string; before: string[]; after: string[] }[], of: Person) => {
    const { before = [], after = [] } = rows.find(({ user }) => user === of.id) ?? {};
    return [before.map((due) => due.slice(5, 16)), after.map((due) => due.slice(5, 16))];
  };

  test('shows whom that concerns before, and saves just that', async () => {
    const { study, chidi, dana } = await twoArms();
    await pendingOf(chidi);
    await ringAt(chidi, at('11:00'));
    setClock(at('12:00'));
    const { page, ...counts } = await changingNothing(async () => {
      const answer = await change(study, { for: { arm: ['a'] } });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    });
    expect(counts).toEqual({ people: 2, unchanged: 0, moved: 0, added: 1, removed: 1, againToday: 0 });
    const next = ['03-01T11:00', '03-02T11:00', '03-03T11:00'];
    expect(times(page, dana)).toEqual([[], next]);
    expect(times(page, chidi)).toEqual([['03-02T11:00', '03-03T11:00', '03-04T11:00'], []]);

    await study.owner.patch(`/survey/${study.survey}`, { for: { arm: ['a'] } });
    await jobsDone();
    for (const person of [chidi, dana]) await ringAt(person, at('12:01'));
    expect(await outcomes(dana)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
    expect(await outcomes(chidi)).toEqual(['03-01T11:00 sent', '03-02T11:00 invalidated not-in-group']);
    // Back within the day: nobody is reminded twice.
    await study.owner.patch(`/survey/${study.survey}`, { for: null });
    await jobsDone();
    for (const person of [chidi, dana]) {
      await ringAt(person, at('12:02'));
      expect(await outcomes(person)).toEqual(['03-01T11:00 sent', '03-02T11:00 scheduled']);
    }
  });

  test('does not exist for the new people before what is open', async () => {
    const { study, dana } = await twoArms();
    setClock(at('18:00', '2027-03-04'));
    await study.owner.patch(`/survey/${study.survey}`, { for: null });
    await jobsDone();
    await dueAt(dana, '2027-03-05T11:00:00.000Z');
    expect(await outcomes(dana)).toEqual(['03-05T11:00 scheduled']);
  });

  test('counts in a change of its reminders only those whom it is for', async () => {
    const { study, dana } = await twoArms();
    const morning = { ...noon, recurrence: '0 8 * * *' };
    expect((await change(study, { reminders: morning })).body).toMatchObject({ people: 1, moved: 1 });
    const both = (await change(study, { reminders: morning, for: null })).body;
    expect(both).toMatchObject({ people: 2, moved: 1, added: 1 });
    expect(times(both.page, dana)).toEqual([[], ['03-02T07:00', '03-03T07:00', '03-04T07:00']]);
    expectProblem(await change(study, {}), 'request.invalid');
  });
});
