import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Outcome, PushMessage, PushService, Services } from '../../src/services.ts';
import { deliver, minutesOf } from '../support/engine.ts';
import { texts } from '../support/reminder-rows.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { newApp, wrappedDb } from '../support/worker/apps.ts';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import {
  daily,
  dropAlarm,
  history,
  jobsDone,
  pendingOf,
  remind,
  scheduled,
} from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/* A turn lasts a minute: a claim or a push that takes longer finds that another turn has begun. */

const due = Date.parse('2027-03-01T20:30:00.000Z');

/** Chidi's reminder is due. `send` is what the relay does with his pushes, counted from 1. */
async function evening(send: (count: number) => Promise<Outcome> | Outcome = () => taken) {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { responder: chidi } = study;
  await newPhone(chidi, 'Europe/Paris');
  await pendingOf(chidi);
  await dropAlarm(chidi);
  const pushed: PushMessage[] = [];
  const { push: relay, ...rest } = createServices(env);
  const push: PushService = {
    ...relay,
    send: async (message) => {
      const count = pushed.push(message);
      return send(count);
    },
  };
  const services: Services = {
    ...rest,
    push,
    alarms: { arm: async () => {}, deliver: async () => {} },
    log: () => {},
  };
  setClock(due);
  return { study, chidi, services, pushes: () => pushed.length };
}

const taken: Outcome = { state: 'sent', messageId: 'm' };

async function expectSentOnce(of: Parameters<typeof history>[0]) {
  expect(await history(of)).toMatchObject([
    { on: '2027-03-02', state: 'scheduled' },
    { on: '2027-03-01', state: 'sent' },
  ]);
}

test('a turn whose claim took so long that another one has begun pushes nothing', async () => {
  const { chidi, services, pushes } = await evening();
  let isLate = false;
  const db = wrappedDb(async (queries, answer) => {
    const answered = await answer();
    if (!isLate && queries.some((query) => texts.claim.test(query))) {
      isLate = true;
      later(minutes);
      await deliver(services, chidi.id);
    }
    return answered;
  });
  await deliver({ ...services, db }, chidi.id);
  expect(isLate).toBe(true);
  expect(pushes()).toBe(1);
  await expectSentOnce(chidi);
});

test('a turn whose push took so long that another one has begun does not let a third one push beside that', async () => {
  const other = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { chidi, services, pushes } = await evening(async (count) => {
    if (count === 1) {
      later(minutes);
      second = deliver(services, chidi.id);
      await begun.promise;
      return { state: 'retry', error: 'Throttled' };
    }
    begun.resolve();
    if (count === 2) await other.promise;
    return taken;
  });
  let second: Promise<unknown> | undefined;
  await deliver(services, chidi.id);
  await deliver(services, chidi.id);
  expect(pushes()).toBe(2);
  other.resolve();
  await second;
  await expectSentOnce(chidi);
  later(10 * minutes);
  await deliver(services, chidi.id);
  expect(pushes()).toBe(2);
});

test('a change during a push does not let another turn push beside it', async () => {
  const { chidi, services, pushes } = await evening(async (count) => {
    if (count > 1) return taken;
    const quietHours = { from: '23:00', to: '06:00' };
    expect((await chidi.patch('/user/me', { quietHours })).status).toBe(200);
    await deliver(services, chidi.id);
    return taken;
  });
  await deliver(services, chidi.id);
  await deliver(services, chidi.id);
  expect(pushes()).toBe(1);
  await expectSentOnce(chidi);
});

test('a push that is recorded after the next plan was made by other reminders is the one of its date', async () => {
  const { study, chidi, services, pushes } = await evening(async (count) => {
    if (count > 1) return taken;
    await chidi.put('/user/me/pause', { until: '2027-03-01T20:40:00.000Z' });
    await remind(study, { ...daily, recurrence: '0 23 * * *' });
    later(minutes);
    await deliver(services, chidi.id);
    expect(await scheduled(chidi)).toMatchObject([{ dueAt: '2027-03-01T22:00:00.000Z' }]);
    return taken;
  });
  await deliver(services, chidi.id);
  expect(pushes()).toBe(1);
  setClock('2027-03-01T22:00:00.000Z');
  await deliver(services, chidi.id);
  expect(pushes()).toBe(1);
  expect((await history(chidi)).filter(({ state }) => state === 'sent')).toHaveLength(1);
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: '2027-03-02T22:00:00.000Z' }]);
});

test('a push that is recorded after another turn has found the reminder expired stands as sent', async () => {
  const { chidi, services, pushes } = await evening(async () => {
    later(days / 2);
    await deliver(services, chidi.id);
    expect((await history(chidi)).find(({ on }) => on === '2027-03-01')).toMatchObject({ reason: 'expired' });
    return taken;
  });
  await deliver(services, chidi.id);
  expect(pushes()).toBe(1);
  await expectSentOnce(chidi);
});

test('an answer during the turn that takes its reminder back counts: the reminder is skipped as answered', async () => {
  const { study, chidi, services, pushes } = await evening();
  const night = await newCase(study, chidi);
  const { survey } = study;
  await env.DB.prepare(
    `update survey set reminders = json_set(reminders, '$.recurrence', '0 23 * * *'),
      reminders_revision = reminders_revision + 1, reminders_since = ?2 where id = ?1`,
  )
    .bind(survey, due)
    .run();
  let isAnswered = false;
  const db = wrappedDb(async (queries, answer) => {
    const answered = await answer();
    if (!isAnswered && queries.some((query) => texts.claim.test(query))) {
      isAnswered = true;
      await newResponse(study, chidi, night);
    }
    return answered;
  });
  await deliver({ ...services, db }, chidi.id);
  expect(pushes()).toBe(0);
  expect(
    (await history(chidi)).find(({ on, state }) => on === '2027-03-01' && state !== 'scheduled'),
  ).toMatchObject({
    state: 'skipped',
    reason: 'answered',
  });
});

test('a change that is written while the one before it is walked is planned, though its process dies', async () => {
  const { study, chidi, services } = await evening();
  setClock(startOfTests);
  await jobsDone();
  // The plans of this hour are verified.
  await minutesOf()(services);
  const at = async (recurrence: string) => {
    const { send } = newApp({ defer: () => {} });
    const body = { reminders: { ...daily, recurrence } };
    const { status } = await send(`/survey/${study.survey}`, {
      method: 'PATCH',
      token: study.editor.token,
      body,
    });
    expect(status).toBe(200);
  };
  await at('0 22 * * *');
  let isChanged = false;
  const db = wrappedDb(async (queries, answer) => {
    if (!isChanged && queries.some((query) => texts.walked.test(query))) {
      isChanged = true;
      await at('0 23 * * *');
    }
    return answer();
  });
  later(minutes);
  await minutesOf()({ ...services, db }).catch(() => {});
  expect(isChanged).toBe(true);
  later(minutes);
  await minutesOf()(services);
  expect(await scheduled(chidi)).toMatchObject([{ dueAt: '2027-03-01T22:00:00.000Z' }]);
});
