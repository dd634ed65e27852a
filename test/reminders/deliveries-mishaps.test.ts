import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry, Outcome, PushService, Services } from '../../src/services.ts';
import { deliver, plan } from '../support/engine.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, dropAlarm, history, pendingOf, remind } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

/** A study whose reminder is about to be due for Chidi in Paris, and services whose relay does what the test says. */
async function evening(send?: () => Promise<Outcome>, reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const phone = await newPhone(study.responder, 'Europe/Paris');
  for (const member of [study.responder, study.other]) await pendingOf(member);
  await dropAlarm(study.responder);
  const pushed: string[] = [];
  const logged: LogEntry[] = [];
  const push = {
    ...easyPush,
    send: async ({ data }) => {
      pushed.push(data.notification ?? '');
      return (await send?.()) ?? { state: 'sent', messageId: 'm' };
    },
  } as PushService;
  const alarms = { arm: async () => {}, deliver: async () => {} };
  const services: Services = { ...createServices(env), push, alarms, log: (line) => logged.push(line) };
  return { study, phone, user: study.responder, services, pushed, logged };
}

const dates = async (user: Parameters<typeof history>[0]) =>
  (await history(user)).map(({ on, state, reason }) => [on, state, ...(reason ? [reason] : [])]);

test.each<[string, { second?: Outcome; answered?: true }]>([
  ['taken', {}],
  ['taken by one phone of two', { second: { state: 'retry', error: 'Throttled' } }],
  ['answered meanwhile', { answered: true }],
])(
  'reminders that are changed during a push that is %s do not make it unsent',
  async (_, { second, answered }) => {
    let pushes = 0;
    const { study, user, services } = await evening(async () => {
      pushes += 1;
      if (pushes > 1 && second) return second;
      if (answered) await newResponse(study, user, await newCase(study, user));
      await remind(study, { ...daily, recurrence: '0 23 * * *' });
      return { state: 'sent', messageId: 'm' };
    });
    if (second) await newPhone(user, 'Europe/Paris');
    setClock(due);
    await deliver(services, user.id);
    // The changed reminders are looked at as soon as the push is recorded.
    await deliver(services, user.id);
    // The push of the old reminders is the one of this date.
    expect(await dates(user)).toEqual([
      ['2027-03-02', 'scheduled'],
      ['2027-03-01', 'sent'],
    ]);
    expect((await history(user))[1].sentAt).toBe('2027-03-01T20:30:00.000Z');
  },
);

test('a zone that nobody knows concerns one person, whose reminders come in the zone of the study', async () => {
  const { study, user, services, pushed, logged } = await evening();
  const other = await newPhone(study.other, 'Europe/Paris');
  expect(other.id).toBeDefined();
  await pendingOf(study.other);
  for (const table of ['device', 'user'])
    await env.DB.prepare(
      `update ${table} set time_zone = 'Europe/Atlantis' where ${table === 'user' ? 'id' : 'user_id'} = ?`,
    )
      .bind(user.id)
      .run();
  setClock(due);
  await plan(services, [user.id, study.other.id]);
  for (const member of [user, study.other]) await deliver(services, member.id);
  expect(pushed).toHaveLength(2);
  for (const member of [user, study.other])
    expect(await history(member)).toMatchObject([
      { on: '2027-03-02', state: 'scheduled', timeZone: 'Europe/Paris', dueAt: '2027-03-02T20:30:00.000Z' },
      { on: '2027-03-01', state: 'sent' },
    ]);
  expect(logged).toContainEqual({ event: 'zone.unknown', level: 'error', zone: 'Europe/Atlantis' });
  expect(
    (await user.get(`/survey/${study.survey}/reminders/upcoming?count=1`)).body.occurrences,
  ).toMatchObject([{ on: '2027-03-02' }]);
});

test('a zone of the study that nobody knows either is read as UTC', async () => {
  const { study, user, services, pushed } = await evening();
  await env.DB.prepare("update device set time_zone = 'Europe/Atlantis' where user_id = ?")
    .bind(user.id)
    .run();
  await env.DB.prepare("update investigation set time_zone = 'Nowhere' where id = ?").bind(study.id).run();
  setClock(due + 30 * minutes);
  await deliver(services, user.id);
  expect(pushed).toEqual([]);
  expect(await history(user)).toMatchObject([
    { on: '2027-03-01', state: 'scheduled', dueAt: '2027-03-01T21:30:00.000Z' },
  ]);
});
