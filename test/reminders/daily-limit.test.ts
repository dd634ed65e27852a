import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { linkedPages } from '../support/lists.ts';
import { created, type Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { small } from '../support/worker/apps.ts';
import { addSurveys } from '../support/worker/bulk.ts';
import { days, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { countScheduled } from '../support/worker/reminder-tables.ts';
import { daily, history, pendingOf, remind } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

const evening = Date.parse('2027-03-01T20:30:00.000Z');
const night = '2027-03-01';
const nightly = { ...daily, ends: null, delay: null, unlessAnswered: false, expiresAfter: 360 };

/** Delivers everything that is due by then, with this limit. */
async function deliverAt(user: Person, at: number, pushesPerDay: number) {
  setClock(at);
  const alarms = { arm: async () => {}, deliver: async () => {} };
  await deliver({ ...createServices(env), alarms, log: () => {}, pushesPerDay }, user.id);
}

const newSurvey = async (study: Study, recurrence: string, reminders: object = {}) =>
  created(
    await study.owner.post(`/investigation/${study.id}/survey`, {
      name: 'Mood',
      items: [],
      reminders: { ...daily, recurrence, ...reminders },
    }),
  ).identifier as string;

/** Waits until they are planned, which may be more than a page of the history. */
const allPending = ({ id, name }: Person, count: number) =>
  eventually(`${count} pending for ${name}`, async () => (await countScheduled({ users: [id] })) === count);

/** How many of a participant's occurrences of a date in a study have each outcome. */
async function outcomes(study: Study, on = night) {
  const counts: Record<string, number> = {};
  const path = `/investigation/${study.id}/notifications?user=${study.responder.id}&limit=1000`;
  for await (const { body } of linkedPages(study.owner, path))
    for (const row of body.notifications as { on: string; state: string; reason?: string }[]) {
      if (row.on !== on) continue;
      const outcome = row.reason ?? row.state;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  return counts;
}

/** Occurrences of each hour from 8 on, so many an hour and so many hours. */
const sampling = (hours: number, count: number) => ({
  ...daily,
  recurrence: '* * * * *',
  windows: Array.from({ length: hours }, (_, n) => ({
    from: `${String(8 + n).padStart(2, '0')}:00`,
    to: `${String(8 + n).padStart(2, '0')}:59`,
    count,
  })),
  minGap: 1,
  expiresAfter: 30,
});

describe("a study's limit is its own", () => {
  test("Mallory's 150 surveys cost no reminder of the doctor's, whose study Chidi joined later", async () => {
    setClock(startOfTests - days);
    const mallory = await signUp('Mallory');
    const chidi = await signUp('Chidi');
    const spam = created(await mallory.post('/investigation', { name: 'Spam', timeZone: 'Europe/Paris' }));
    const join = { user: chidi.id, role: 'responder' };
    created(await mallory.post(`/investigation/${spam.identifier}/member`, join));
    await addSurveys({ id: spam.identifier }, 150, nightly);

    setClock(startOfTests);
    const doctors = await sleepStudy(daily);
    created(await doctors.owner.post(`/investigation/${doctors.id}/member`, join));
    const phone = await newPhone(chidi);
    await allPending(chidi, 151);
    const study = { ...doctors, responder: chidi };
    for (let day = 0; day < 3; day++) {
      await ringAt(chidi, evening + day * days - 30 * minutes);
      await ringAt(chidi, evening + day * days);
      const on = `2027-03-0${1 + day}`;
      expect(await outcomes({ ...study, id: spam.identifier, owner: mallory }, on)).toEqual({
        sent: 100,
        'too-many': 50,
      });
      expect(await outcomes(study, on)).toEqual({ sent: 1 });
      const pushes = (await phone.inbox()).filter(({ data }) => data.investigation === doctors.id);
      expect(pushes).toHaveLength(day + 1);
    }
  });

  test('two studies that are due at once each get theirs', async () => {
    setClock(startOfTests);
    const [first, second] = [await sleepStudy(daily), await sleepStudy(daily)];
    const chidi = first.responder;
    created(
      await second.owner.post(`/investigation/${second.id}/member`, { user: chidi.id, role: 'responder' }),
    );
    for (const study of [first, second]) await newSurvey(study, '30 21 * * *');
    await newPhone(chidi);
    await pendingOf(chidi, 4);
    await deliverAt(chidi, evening, 1);
    for (const study of [first, second])
      expect(await outcomes({ ...study, responder: chidi })).toEqual({ sent: 1, 'too-many': 1 });
  });
});

describe('nudges and snoozes', () => {
  const nudging = { ...daily, expiresAfter: 240, followUps: { every: 30, max: 2 } };

  /** Chidi's diary of 21:30, and another survey two hours later. */
  async function twoSurveys(diary: object) {
    setClock(startOfTests);
    const study = await sleepStudy(diary);
    const mood = await newSurvey(study, '30 23 * * *');
    const phone = await newPhone(study.responder);
    await pendingOf(study.responder, 2);
    return { study, mood, phone, chidi: study.responder };
  }

  const ofSurvey = async (of: Person, survey: string) =>
    (await history(of)).find((row) => row.survey === survey && row.on === night);

  test('count: after a push and two nudges the study has no fourth', async () => {
    const { study, mood, phone, chidi } = await twoSurveys(nudging);
    for (const after of [0, 30, 60, 120]) await deliverAt(chidi, evening + after * minutes, 3);
    expect(await phone.inbox()).toHaveLength(3);
    expect(await ofSurvey(chidi, mood)).toMatchObject({ state: 'skipped', reason: 'too-many' });
    expect(await outcomes(study)).toEqual({ sent: 1, 'too-many': 1 });
    await deliverAt(chidi, evening + days, 3);
    expect(await phone.inbox()).toHaveLength(4);
  });

  test('that are too many are left out, and say so', async () => {
    const { study, phone, chidi } = await twoSurveys(nudging);
    for (const after of [0, 30, 60, 90]) await deliverAt(chidi, evening + after * minutes, 2);
    expect(await phone.inbox()).toHaveLength(2);
    const diary = await ofSurvey(chidi, study.survey);
    expect(diary.followUps.map(({ state, reason = '' }: Record<string, string>) => [state, reason])).toEqual([
      ['sent', ''],
      ['skipped', 'too-many'],
    ]);
    expect(diary).not.toHaveProperty('nextAt');
  });

  test('count when the phone asks for them, and are left out then, too', async () => {
    const { study, mood, phone, chidi } = await twoSurveys({ ...daily, expiresAfter: 240 });
    await deliverAt(chidi, evening, 2);
    const { identifier } = await ofSurvey(chidi, study.survey);
    const snooze = async () =>
      expect((await chidi.post(`/notification/${identifier}/snooze`, { minutes: 30 })).status).toBe(202);
    await snooze();
    await deliverAt(chidi, evening + 30 * minutes, 2);
    expect(await phone.inbox()).toHaveLength(2);
    await snooze();
    await deliverAt(chidi, evening + 60 * minutes, 2);
    await deliverAt(chidi, evening + 120 * minutes, 2);
    expect(await phone.inbox()).toHaveLength(2);
    expect((await ofSurvey(chidi, study.survey)).followUps).toMatchObject([
      { kind: 'snooze', state: 'sent' },
      { kind: 'snooze', state: 'skipped', reason: 'too-many' },
    ]);
    expect(await ofSurvey(chidi, mood)).toMatchObject({ reason: 'too-many' });
  });
});

describe('an owner who changes reminders on the same day', () => {
  test('gets no more pushes by new revisions, nor by new surveys in place of others', async () => {
    setClock(startOfTests);
    const study = await sleepStudy(daily);
    const { responder: chidi, owner: ada } = study;
    const phone = await newPhone(chidi);
    await pendingOf(chidi);
    await deliverAt(chidi, evening, 2);
    await remind(study, { ...daily, recurrence: '40 21 * * *' }, true);
    await pendingOf(chidi);
    await deliverAt(chidi, evening + 10 * minutes, 2);
    expect(await phone.inbox()).toHaveLength(2);

    await remind(study, { ...daily, recurrence: '50 21 * * *' }, true);
    await pendingOf(chidi);
    await deliverAt(chidi, evening + 20 * minutes, 2);
    expect(await phone.inbox()).toHaveLength(2);

    await ada.patch(`/survey/${study.survey}`, { reminders: null });
    await newSurvey(study, '0 22 * * *');
    await pendingOf(chidi);
    await deliverAt(chidi, evening + 30 * minutes, 2);
    expect(await phone.inbox()).toHaveLength(2);
    expect(await outcomes(study)).toMatchObject({ sent: 2, 'too-many': 2 });
  });
});

describe('the rest of a date that is full', () => {
  test('has one row for each survey, and the next one is that of another date', async () => {
    setClock('2027-03-01T05:00:00.000Z');
    const study = await sleepStudy(sampling(4, 2));
    const { responder: chidi } = study;
    const phone = await newPhone(chidi);
    for (let slot = 0; slot < 4; slot++) {
      const [next] = await pendingOf(chidi);
      await deliverAt(chidi, Date.parse(next.dueAt), 3);
    }
    expect(await outcomes(study)).toEqual({ sent: 3, 'too-many': 1 });
    const [next] = await pendingOf(chidi);
    expect(next).toMatchObject({ on: '2027-03-02', slot: 0, counter: 8 });
    await deliverAt(chidi, Date.parse(next.dueAt), 3);
    expect(await phone.inbox()).toHaveLength(4);
  });

  test('also of the dates of an outage, after which the newest occurrences are pushed all the same', async () => {
    setClock('2027-03-01T05:00:00.000Z');
    const study = await sleepStudy({ ...sampling(10, 5), expiresAfter: 1440 });
    const { responder: chidi } = study;
    const phone = await newPhone(chidi);
    await newSurvey(study, '30 21 * * *', { expiresAfter: 1440 });
    await pendingOf(chidi, 2);
    await deliverAt(chidi, Date.parse('2027-03-03T21:00:00.000Z'), 20);
    for (const on of [night, '2027-03-02', '2027-03-03']) {
      const { sent = 0, ...others } = await outcomes(study, on);
      expect(sent).toBe(on === '2027-03-03' ? 2 : 0);
      // Of each survey the newest has a row beyond the twenty.
      expect(Object.values(others).reduce((sum, n) => sum + n)).toBeLessThanOrEqual(22);
    }
    expect(await pendingOf(chidi, 2)).toMatchObject([{ on: '2027-03-04' }, { on: '2027-03-04' }]);
    expect(await phone.inbox()).toHaveLength(2);
  });
});

describe('a survey that alone is too much for a day', () => {
  const refused = async (reminders: object, pointer: string) => {
    const study = await sleepStudy(daily);
    const create = { name: 'Mood', items: [], reminders };
    for (const answer of [
      await study.owner.post(`/investigation/${study.id}/survey`, create),
      await study.owner.patch(`/survey/${study.survey}`, { reminders }),
    ]) {
      expectProblem(answer, 'request.invalid', [`/reminders/${pointer}`]);
      expect(answer.body.errors[0].detail).toMatch(/120.*at most 100/);
    }
    const { body } = await study.owner.get(`/survey/${study.survey}`);
    expect(body.reminders.recurrence).toBe(daily.recurrence);
  };

  test('is refused when it is set: by its windows, or by their nudges', async () => {
    await refused(sampling(12, 10), 'windows');
    const nudges = { followUps: { every: 5, max: 2 } };
    await refused({ ...sampling(10, 4), ...nudges }, 'followUps');
  });

  test('may be as much as the setting says, which a survey of before may exceed', async () => {
    const study = await sleepStudy();
    const path = `/survey/${study.survey}`;
    expect((await study.owner.patch(path, { reminders: sampling(10, 10) })).status).toBe(200);
    const post = small({ MAX_PUSHES_PER_DAY: '3' });
    expect((await post(study.owner, path, { name: 'Diary of sleep' }, 'PATCH')).status).toBe(200);
    const three = { ...daily, followUps: { every: 30, max: 2 } };
    expect((await post(study.owner, path, { reminders: three }, 'PATCH')).status).toBe(200);
    const four = { ...daily, followUps: { every: 30, max: 3 } };
    const answer = await post(study.owner, path, { reminders: four }, 'PATCH');
    expectProblem(answer, 'request.invalid', ['/reminders/followUps']);
  });
});
