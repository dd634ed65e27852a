import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import worker from '../../src/worker.ts';
import type { Answer, Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { setClock } from '../support/worker/clock.ts';
import { alarmOf, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { breakSns, callSns, deleteAtSns, disableAtSns, endpointsOf } from '../support/worker/sns.ts';
import { deliver, notification, post, signed, simulateSnsHost } from '../support/worker/sns-messages.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';

simulateSnsHost();

const due = Date.parse('2027-03-01T20:30:00.000Z');
const android = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android';

/** Everything that left the service: its log, by whatever method, and its answers. */
let heard: string[];

beforeEach(() => {
  heard = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => {
      heard.push(
        words.map((word) => (word instanceof Error ? `${word.stack} ${word.cause}` : String(word))).join(' '),
      );
    });
});

afterEach(() => {
  vi.restoreAllMocks();
});

function overhear({ status, text, headers }: Answer): Answer {
  heard.push(`${status} ${text} ${JSON.stringify([...headers])}`);
  return { status, text, headers, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

test('no token, endpoint name or credential is in any answer, log line or record', async () => {
  const study = await sleepStudy({
    type: 'rolling',
    recurrence: '30 21 * * *',
    notification: { subject: 'Diary', body: 'How was your night?' },
  });
  const { responder: chidi, other: dana, owner: ada } = study;
  // A token in the words of Apple, one in those of Google, and a short one that looks like a word.
  const tokens = {
    ios: 'b3a1'.repeat(16),
    android: `fcm:APA91b${'HPRgkF3JUikC4ENAHEeMrd41Zxv3'.repeat(4)}`,
    short: 'plainword',
    next: `next:${crypto.randomUUID()}`,
  };
  const names = new Set<string>();
  const noteNames = async () => {
    for (const token of Object.values(tokens)) for (const { arn } of await endpointsOf(token)) names.add(arn);
  };
  const register = (of: Person, platform: string, token: string) =>
    of.post('/user/me/device', { platform, token, timeZone: 'Europe/Paris' }).then(overhear);

  // Registering, with every fault on the way.
  for (const action of ['CreatePlatformEndpoint', 'GetEndpointAttributes', 'SetEndpointAttributes'])
    for (const fault of [
      { code: 'AuthorizationError' },
      { code: 'InternalError' },
      { kind: 'reset' },
      { kind: 'html' },
    ]) {
      await breakSns(tokens.android, action, fault);
      await register(chidi, 'android', tokens.android);
      await noteNames();
      if (names.size > 0) await disableAtSns(tokens.android);
    }
  const [android1, ios, short] = [
    await register(chidi, 'android', tokens.android),
    await register(chidi, 'ios', tokens.ios),
    await register(dana, 'android', tokens.short),
  ];
  expect([android1.status, ios.status, short.status].every((status) => status <= 201)).toBe(true);
  overhear(
    await chidi.post('/user/me/device', {
      platform: 'ios',
      token: `${tokens.ios}\n`,
      timeZone: 'Europe/Paris',
    }),
  );
  overhear(
    await chidi.post('/user/me/device', { platform: tokens.android, token: tokens.android, timeZone: 'x' }),
  );
  await register(chidi, 'ios', tokens.ios.repeat(7));
  await noteNames();

  // A due reminder, with every fault on the way.
  const faults: Parameters<typeof breakSns>[2][] = [
    { code: 'Throttled' },
    { code: 'AuthorizationError' },
    { code: 'SignatureDoesNotMatch' },
    { code: 'InternalError', kind: 'truncated-xml' },
    { kind: 'html', status: 503 },
    { kind: 'accepted-then-reset' },
    { code: 'InvalidParameter' },
  ];
  for (const token of [tokens.android, tokens.ios, tokens.short])
    for (const fault of faults) await breakSns(token, 'Publish', fault);
  for (let day = 0; day < 3; day++)
    for (let minutes = 0; minutes < 60; minutes += 6) {
      setClock(due + day * 86_400_000 + minutes * 60_000);
      await Promise.all([ring(chidi), ring(dana)]);
    }
  await deleteAtSns(tokens.short);
  setClock(due + 3 * 86_400_000);
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(), cron: '* * * * *' }), env);
  await alarmOf(dana).deliver(dana.id);
  expect((await inboxOf(world, tokens.ios)).length).toBeGreaterThan(0);

  // The relay's later events, and the rest of a device's life.
  for (const endpoint of names) {
    const failed = {
      EventType: 'DeliveryFailure',
      FailureType: 'InvalidPlatformToken',
      EndpointArn: endpoint,
    };
    overhear(await deliver(notification({ ...failed, FailureMessage: tokens.android })));
    overhear(await deliver(notification({ EventType: 'EndpointUpdated', EndpointArn: endpoint })));
    overhear(await post({ ...(await signed(notification(failed))), MessageId: endpoint }));
    overhear(await deliver(notification(failed, { TopicArn: endpoint })));
    overhear(await post(`${endpoint} ${tokens.android}`));
  }
  await register(chidi, 'android', tokens.android);
  const device = android1.body.identifier;
  overhear(await chidi.post(`/device/${device}/test`));
  overhear(await chidi.patch(`/device/${device}`, { token: tokens.next }));
  await noteNames();
  overhear(
    await chidi.patch(`/device/${device}`, { identifier: ios.body.identifier, token: tokens.android }),
  );
  await callSns('CreatePlatformEndpoint', { PlatformApplicationArn: android, Token: tokens.android });
  await noteNames();
  overhear(await dana.post('/user/me/device', { platform: 'android', token: tokens.next, timeZone: 'UTC' }));
  for (const path of ['/user/me', '/user/me/devices', '/user/me/notifications']) {
    overhear(await chidi.get(path));
    overhear(await dana.get(path));
  }
  overhear(await ada.get(`/survey/${study.survey}/notifications?user=${chidi.id}`));
  overhear(await ada.get(`/investigation/${study.id}/activity`));
  overhear(await ada.get(`/investigation/${study.id}/members`));
  overhear(await chidi.delete(`/device/${ios.body.identifier}`));
  overhear(await chidi.delete(`/device/${ios.body.identifier}`));

  expect(names.size).toBeGreaterThanOrEqual(3);
  const errors = (await history(dana)).flatMap((row) => row.deliveries).filter((one) => one.error);
  expect(errors.length).toBeGreaterThan(0);
  const tables = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'",
  ).all<{ name: string }>();
  for (const { name } of tables.results.filter(
    (table) => !['device', 'user', 'd1_migrations'].includes(table.name) && !table.name.startsWith('sqlite_'),
  ))
    heard.push(JSON.stringify((await env.DB.prepare(`select * from "${name}"`).all()).results));

  const secrets = [
    ...Object.values(tokens),
    ...names,
    ...[...names].map((name) => name.split('/').at(-1) as string),
    ...[chidi, dana, ada].map((person) => person.token),
    env.AUTH_SECRET,
    'local-secret',
    'AWS4-HMAC',
  ];
  expect(heard.length).toBeGreaterThan(100);
  for (const secret of secrets) expect(heard.filter((line) => line.includes(secret))).toEqual([]);
});

test("the secret of a survey's windows is in no answer, log line or push", async () => {
  const sampling = {
    type: 'rolling',
    recurrence: '* * * * *',
    windows: [{ from: '09:00', to: '21:00', count: 3 }],
    followUps: { every: 30, max: 2 },
    expiresAfter: 90,
    notification: { subject: 'Now', body: 'What are you doing?' },
  };
  setClock('2027-03-01T06:00:00.000Z');
  const study = await sleepStudy(sampling);
  const { responder: chidi, owner: ada, survey, id } = study;
  const hear = (...answers: Answer[]) =>
    heard.push(
      ...answers.map(({ status, text, headers }) => `${status} ${text} ${JSON.stringify([...headers])}`),
    );
  const phone = await newPhone(chidi);
  await pendingOf(chidi);
  hear(await ada.patch(`/survey/${survey}`, { reminders: { ...sampling, minGap: 10 } }));
  hear(await ada.patch(`/survey/${survey}`, { reminders: { ...sampling, minGap: 2000, windowSecret: 'x' } }));
  const added = { name: 'Moods', items: [], reminders: sampling };
  hear(await ada.post(`/investigation/${id}/survey`, added));
  const revised = await pendingOf(chidi, 2);
  for (const { dueAt } of revised.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))) {
    setClock(dueAt);
    await ring(chidi);
    setClock(Date.parse(dueAt) + 30 * 60_000);
    await ring(chidi);
  }
  const [sent] = (await history(chidi)).filter(({ state }) => state === 'sent');
  hear(
    await chidi.post(`/notification/${sent.identifier}/snooze`, { minutes: 5 }),
    await chidi.post(`/notification/${sent.identifier}/receipt`, { event: 'opened' }),
    await chidi.post(`/survey/${survey}/download`),
    await ada.post('/reminders/preview', { reminders: sampling, timeZone: 'UTC', startsOn: '2027-03-01' }),
  );
  for (const path of [
    '/user/me',
    '/user/me/notifications',
    '/user/me/agenda',
    '/user/me/export',
    `/notification/${sent.identifier}`,
    `/survey/${survey}`,
    `/survey/${survey}/reminders/upcoming`,
    `/investigation/${id}`,
    `/investigation/${id}/surveys`,
  ])
    hear(await chidi.get(path));
  const csv = { accept: 'text/csv' };
  hear(
    await ada.get(`/survey/${survey}/notifications?user=${chidi.id}`),
    await ada.get(`/investigation/${id}/surveys`, csv),
    await ada.get(`/investigation/${id}/activity`),
    await ada.get(`/investigation/${id}/activity`, { accept: 'application/x-ndjson' }),
  );
  heard.push(JSON.stringify(await phone.inbox()));

  const { results } = await env.DB.prepare(
    'select window_secret as secret from survey where investigation_id = ?',
  )
    .bind(id)
    .all<{ secret: string }>();
  const secrets = results.map(({ secret }) => secret).filter(Boolean);
  expect(secrets).toHaveLength(2);
  expect(secrets.every((secret) => /^[0-9a-f]{64}$/.test(secret))).toBe(true);
  expect(heard.length).toBeGreaterThan(20);
  expect(heard.filter((line) => line.includes('"event":"follow-up"')).length).toBeGreaterThan(0);
  for (const secret of secrets) expect(heard.filter((line) => line.includes(secret))).toEqual([]);
});
