import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Outcome, PushService, Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { tables } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { days, hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, history, jobsDone, pendingOf, remind } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { following, newMigraines, outcomes } from './support/triggers.ts';

/*
 * A push reaches the phone, and its turn ends without a record, as when its process dies; or something changes before its
 * record is written. The push comes once more at most, under its name, and the history has it once.
 */

/** A relay whose answers a test names one after the other: the last one stays. `lost`: nobody hears of the push. */
function relay(...answers: (Outcome | 'lost')[]) {
  const pushed: string[] = [];
  let before: (() => Promise<unknown>) | undefined;
  const send: PushService['send'] = async ({ collapseId }) => {
    pushed.push(collapseId);
    await before?.();
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer || answer === 'lost') throw new Error('the process has died');
    return answer;
  };
  const services: Services = {
    ...createServices(env),
    push: { ...easyPush, send } as PushService,
    alarms: { arm: async () => {}, deliver: async () => {} },
    log: () => {},
  };
  /** Delivers to a person, now and for as many minutes. */
  const pass = async ({ id }: Person, count = 0) => {
    await deliver(services, id);
    for (let n = 0; n < count; n++) {
      later(minutes);
      await deliver(services, id);
    }
  };
  /** How often each reminder was pushed. */
  const pushes = () => [...Map.groupBy(pushed, (id) => id).values()].map((some) => some.length);
  /** Does something while the relay has the next pushes. */
  const beforeAnswer = (work: typeof before) => {
    before = work;
  };
  return { pass, pushes, beforeAnswer };
}

const sent: Outcome = { state: 'sent', messageId: 'message' };
const busy: Outcome = { state: 'retry', error: 'Throttled' };
const due = Date.parse('2027-03-01T20:30:00.000Z');

async function evening(reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const chidi = study.responder;
  const phone = await newPhone(chidi, 'Europe/Paris');
  await pendingOf(chidi);
  setClock(due);
  return { study, chidi, phone };
}

const told = async (of: Person) => (await history(of)).map(({ on, state }) => `${on} ${state}`);

test('of a triggered reminder whose survey has other reminders by then', async () => {
  const { study, user, after, report } = await newMigraines();
  const ten = Date.parse('2027-03-01T10:00:00.000Z');
  await report(ten);
  const { pass, pushes } = relay('lost', sent);
  setClock(ten + 20 * minutes);
  await pass(user);
  expect(pushes()).toEqual([1]);
  const reminders = following(study.survey, { after: 40 }, { expiresAfter: 300 });
  expect((await study.owner.patch(`/survey/${after}`, { reminders })).status).toBe(200);
  await jobsDone();
  await pass(user, 60);
  expect(pushes()).toEqual([2]);
  expect(await outcomes(user, after)).toEqual(['03-01T10:20 sent']);
  // The next response has its own, by the present reminders.
  await report(ten + 3 * hours);
  setClock(ten + 3 * hours + 40 * minutes);
  await pass(user);
  expect(pushes()).toEqual([2, 1]);
  expect(await outcomes(user, after)).toEqual(['03-01T10:20 sent', '03-01T13:40 sent']);
});

test('of a reminder that had been tried before, and whose survey has other reminders by then', async () => {
  const { study, chidi } = await evening();
  const { pass, pushes } = relay(busy, 'lost', sent);
  await pass(chidi);
  later(10_000);
  await pass(chidi);
  expect(pushes()).toEqual([2]);
  await remind(study, { ...daily, recurrence: '0 23 * * *' });
  await pass(chidi, 95);
  setClock('2027-03-01T22:00:00.000Z');
  await pass(chidi, 2);
  expect(pushes()).toEqual([3]);
  expect(await told(chidi)).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
});

test('of a nudge whose survey has other reminders by then', async () => {
  const nudged = { ...daily, followUps: { every: 30, max: 3 } };
  const { study, chidi } = await evening(nudged);
  const { pass, pushes } = relay(sent, 'lost', sent);
  await pass(chidi);
  setClock(due + 30 * minutes);
  await pass(chidi);
  expect(pushes()).toEqual([2]);
  await remind(study, { ...nudged, notification: { subject: 'Diary', body: 'And now?' } });
  await pass(chidi, 60);
  expect(pushes()).toEqual([2]);
  expect(await told(chidi)).toEqual(['2027-03-02 scheduled', '2027-03-02 invalidated', '2027-03-01 sent']);
});

test('of somebody who has left the study by then, and of somebody who came back', async () => {
  const { study, chidi } = await evening();
  const { pass, pushes } = relay('lost', sent);
  await pass(chidi);
  const member = `/investigation/${study.id}/member`;
  expect((await chidi.delete(`${member}/me`)).status).toBeLessThan(300);
  await pass(chidi, 10);
  expect(pushes()).toEqual([1]);
  const back = await study.owner.post(member, { user: chidi.id, role: 'responder' });
  expect(back.status, back.text).toBeLessThan(300);
  await pass(chidi, 10);
  setClock(due + days);
  await pass(chidi, 2);
  expect(pushes()).toEqual([1, 1]);
  expect((await told(chidi)).slice(0, 2)).toEqual(['2027-03-03 scheduled', '2027-03-02 sent']);
});

test('of somebody who has gone to another zone by then, where its time is to come again', async () => {
  const { chidi, phone } = await evening();
  const { pass, pushes } = relay('lost', sent);
  await pass(chidi);
  const moved = await chidi.patch(`/device/${phone.id}`, { timeZone: 'America/New_York' });
  expect(moved.status, moved.text).toBe(200);
  await pass(chidi, 20);
  setClock('2027-03-02T02:30:00.000Z');
  await pass(chidi, 2);
  expect(pushes()).toEqual([2]);
  expect(await told(chidi)).toEqual(['2027-03-02 scheduled', '2027-03-01 sent']);
});

test('of somebody who deletes their account before it is recorded nothing is left to be tried', async () => {
  const { chidi } = await evening();
  const { pass, pushes, beforeAnswer } = relay(busy);
  beforeAnswer(async () => expect((await chidi.delete('/user/me')).status).toBe(204));
  await pass(chidi, 10);
  expect(pushes()).toEqual([1]);
  const left = `select count(*) as n from ${tables.past} where user_id = ?`;
  expect(await env.DB.prepare(left).bind(chidi.id).first('n')).toBe(0);
});

describe('while its push is under way', () => {
  const acts: Record<string, (study: Study) => PromiseLike<{ status: number; text: string }>> = {
    'its person leaves': ({ responder, id }) => responder.delete(`/investigation/${id}/member/me`),
    'its person moves to where its time is still to come': ({ responder }) =>
      responder.post('/user/me/device', {
        ...{ platform: 'android', token: `of-${responder.id}`, timeZone: 'America/New_York' },
      }),
    'its person pauses': ({ responder }) => responder.put('/user/me/pause', { until: null }),
    'its phone is removed': async ({ responder }) => {
      const { devices } = (await responder.get('/user/me/devices')).body;
      return responder.delete(`/device/${devices[0].identifier}`);
    },
    'its survey is archived': ({ owner, survey }) => owner.patch(`/survey/${survey}`, { status: 'archived' }),
    'its study starts later': ({ owner, id }) =>
      owner.patch(`/investigation/${id}`, { startsOn: '2027-03-08' }),
  };
  test.each(Object.keys(acts))('%s: it is recorded, and comes no more', async (what) => {
    const { study, chidi } = await evening();
    const { pass, pushes, beforeAnswer } = relay(sent);
    beforeAnswer(async () => {
      const { status, text } = await (acts[what] as (typeof acts)[string])(study);
      expect(status, text).toBeLessThan(300);
    });
    await pass(chidi);
    beforeAnswer(undefined);
    await jobsDone();
    await pass(chidi, 10);
    setClock('2027-03-02T02:30:00.000Z');
    await pass(chidi, 2);
    expect(pushes()).toEqual([1]);
    const rows: { on: string; state: string }[] = await history(chidi);
    expect(rows.filter(({ on }) => on === '2027-03-01').map(({ state }) => state)).toEqual(['sent']);
  });

  test('the phone asks for another in some minutes, which comes once', async () => {
    const { chidi } = await evening({ ...daily, followUps: { every: 30, max: 1 } });
    const { pass, pushes, beforeAnswer } = relay(sent);
    await pass(chidi);
    const [, { identifier }] = await history(chidi);
    beforeAnswer(async () => {
      const asked = await chidi.post(`/notification/${identifier}/snooze`, { minutes: 5 });
      expect(asked.status, asked.text).toBeLessThan(300);
    });
    setClock(due + 30 * minutes);
    await pass(chidi);
    beforeAnswer(undefined);
    expect(pushes()).toEqual([2]);
    await pass(chidi, 4);
    expect(pushes()).toEqual([2]);
    await pass(chidi, 10);
    expect(pushes()).toEqual([3]);
    const [, { followUps }] = await history(chidi);
    expect(followUps).toMatchObject([
      { kind: 'nudge', state: 'sent' },
      { kind: 'snooze', state: 'sent' },
    ]);
  });
});
