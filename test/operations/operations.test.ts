import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createMeter } from '../../src/operations/metering.ts';
import { readHealth } from '../../src/operations/metrics.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices, servicesOf } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry } from '../../src/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { requestOf } from '../support/people.ts';
import { plantFault } from '../support/phones.ts';
import { insertWork } from '../support/reminder-rows.ts';
import { newApp } from '../support/worker/apps.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { readChecked } from '../support/worker/contract.ts';
import { carryOut, clearReminders, seedPast, seedScheduled } from '../support/worker/reminder-tables.ts';
import { daily, dropAlarm, jobsDone, pendingOf, ring, tick } from '../support/worker/reminders.ts';
import { stranger as newcomer, newPhone, send, signUp, sleepStudy, world } from '../support/worker/world.ts';

const metricsToken = 'metrics-token-of-the-tests';

async function metrics(token = metricsToken) {
  const app = createApp(createServices(env), { ...readConfig(env), metricsToken });
  const response = await app.request('/metrics', { headers: { authorization: `Bearer ${token}` } });
  return readChecked('GET', '/metrics', response);
}

const sample = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);

test('readiness follows the last sweep and the oldest overdue notification; liveness does not', async () => {
  await tick();
  expect((await send('/health/ready')).body).toEqual({
    status: 'ready',
    causes: [],
    lastSweepAgeSeconds: 0,
    oldestOverdueAgeSeconds: null,
  });

  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  // Dana is planned after the answer, which may be behind the phone's own plan.
  for (const member of [study.other, study.responder]) await pendingOf(member);
  setClock('2027-03-01T20:41:00.000Z');
  const late = await send('/health/ready');
  expect(late.status).toBe(503);
  expect(late.body).toMatchObject({ status: 'late', oldestOverdueAgeSeconds: 11 * 60 });
  expect(late.body.causes).toContain('overdue');
  expect(await send('/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', zones: expect.stringMatching(/^20\d\d[a-z]+$/) },
  });

  await tick();
  expect((await send('/health/ready')).status).toBe(200);
  later(6 * minutes);
  expect((await send('/health/ready')).body).toMatchObject({
    status: 'late',
    causes: ['sweep'],
    lastSweepAgeSeconds: 360,
    hint: expect.stringContaining('npm run cron'),
  });
});

test('six hours of expired credentials are not ready, though each push waits for its next attempt', async () => {
  const study = await sleepStudy(daily);
  const phone = await newPhone(study.responder);
  for (const member of [study.other, study.responder]) await pendingOf(member);
  await dropAlarm(study.responder);
  const refused = Date.parse('2027-03-01T20:30:00.000Z');
  const { alarms, meter } = servicesOf(env);
  const deliver = async () => {
    await alarms.deliver(study.responder.id);
    await meter.flush(true);
  };
  await meter.flush(true);
  await env.DB.exec("delete from job_run where name = 'delivered'");
  const { token } = phone;
  await plantFault(world, { action: 'Publish', code: 'ExpiredToken', status: 403, times: null, token });
  // Further apart than attempts, so that each look has one of its own before it.
  for (const minute of [0, 10, 20, 30, 60, 90, 120, 180, 240, 300, 350]) {
    setClock(refused + minute * minutes);
    await tick();
    await deliver();
    const { status, body } = await send('/health/ready');
    expect([minute, status]).toEqual([minute, 503]);
    expect(body.causes).toEqual(minute > 10 ? ['overdue', 'relay'] : ['relay']);
  }
  expect(await phone.inbox()).toEqual([]);
});

test.each([
  ['registration', 'CreatePlatformEndpoint'],
  ['test push', 'Publish'],
] as const)(
  'a %s that the relay refuses for its credentials is not ready, until it takes a test push',
  async (_, action) => {
    await env.DB.exec("delete from job_run where name in ('delivered', 'relay-refused', 'relay-tested')");
    const at = Date.parse('2027-06-01T07:00:00.000Z');
    setClock(at);
    const study = await sleepStudy();
    const phone = await newPhone(study.responder);
    const { meter } = servicesOf(env);
    const ready = async () => {
      await meter.flush(true);
      return !(await send('/health/ready')).body.causes.includes('relay');
    };
    expect(await ready()).toBe(true);
    const register = (token: string) =>
      study.responder.post('/user/me/device', { platform: 'android', token, timeZone: 'UTC' });
    const testPush = () => study.responder.post(`/device/${phone.id}/test`);
    const token = action === 'Publish' ? phone.token : 'refused-for-credentials';
    await plantFault(world, { action, code: 'InvalidClientTokenId', status: 403, times: 1, token });
    const refused = action === 'Publish' ? await testPush() : await register(token);
    expect(refused.status).toBe(503);
    expect(await ready()).toBe(false);
    setClock(at + minutes);
    expect((await register('another-phone')).status).toBe(201);
    expect(await ready()).toBe(false);
    expect((await testPush()).status).toBe(202);
    expect(await ready()).toBe(true);
  },
);

test('plans that have waited for ten minutes are not ready', async () => {
  await clearReminders();
  await env.DB.exec("delete from job_run where name in ('delivered', 'relay-refused')");
  const at = Date.parse('2027-06-01T08:00:00.000Z');
  setClock(at);
  await carryOut(insertWork({ user: 'nobody', at }));
  for (const [age, causes] of [
    [10, []],
    [11, ['plans']],
  ] as const) {
    setClock(at + age * minutes);
    await env.DB.prepare("insert or replace into job_run (name, ran_at, after) values ('sweep', ?, '')")
      .bind(Date.now())
      .run();
    expect((await send('/health/ready')).body).toMatchObject({ causes });
  }
  expect(sample((await metrics()).text, 'fieldbell_wake_backlog')).toBe('1');
  await tick();
  expect((await send('/health/ready')).body.causes).not.toContain('plans');
  expect(sample((await metrics()).text, 'fieldbell_wake_backlog')).toBe('0');
});

test('readiness and metrics follow nudges that are overdue, as they follow reminders', async () => {
  await clearReminders();
  setClock(startOfTests);
  const study = await sleepStudy({ ...daily, followUps: { every: 30, max: 2 } });
  await newPhone(study.responder);
  const members = [study.responder, study.other];
  for (const member of members) await pendingOf(member);
  setClock('2027-03-01T20:30:00.000Z');
  for (const member of members) await ring(member);
  await servicesOf(env).meter.flush(true);
  await dropAlarm(study.responder);
  setClock('2027-03-01T21:00:00.000Z');
  expect((await send('/health/ready')).body.causes).not.toContain('overdue');
  setClock('2027-03-01T21:11:00.000Z');
  const late = (await send('/health/ready')).body;
  expect(late).toMatchObject({ status: 'late', oldestOverdueAgeSeconds: 11 * 60 });
  expect(late.causes).toContain('overdue');
  expect(sample((await metrics()).text, 'fieldbell_overdue')).toBe('1');

  const sent = async () => Number(sample((await metrics()).text, nudged) ?? 0);
  const before = await sent();
  await servicesOf(env).alarms.deliver(study.responder.id);
  await servicesOf(env).meter.flush(true);
  expect((await send('/health/ready')).body.oldestOverdueAgeSeconds).toBeNull();
  expect((await sent()) - before).toBe(1);
});

const nudged = 'fieldbell_follow_ups_total{kind="nudge",outcome="sent"}';

test('readiness costs one round trip and the same however much is overdue', async () => {
  const costs = [];
  for (const pending of [2_000, 20_000]) {
    await clearReminders();
    const all = Array.from({ length: pending }, (_, n) => ({
      user: (n + 1).toString(16).padStart(32, '0'),
      survey: 'survey',
      dueAt: n + 1,
    }));
    await seedScheduled(all.map((one) => ({ ...one, on: '2027-03-02' })));
    await seedPast(all.map((one) => ({ ...one, on: '2027-03-01', state: 'sent', nudgeAt: one.dueAt })));
    const { counts, database } = countedD1(env.DB);
    await readHealth({ db: openD1(database), now: Date.now() }, Date.now());
    expect(counts.roundTrips).toBe(1);
    costs.push(counts.rowsRead);
  }
  expect(costs[1]).toBe(costs[0]);
  expect(costs[0]).toBeLessThanOrEqual(1_300);
  await clearReminders();
});

test('metrics count deliveries by outcome and how late they were', async () => {
  const before = (await metrics()).text;
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  for (const member of [study.other, study.responder]) await pendingOf(member);
  await jobsDone();
  await dropAlarm(study.responder);
  setClock('2027-03-01T20:30:04.000Z');
  await servicesOf(env).alarms.deliver(study.responder.id);
  await servicesOf(env).meter.flush(true);

  const answer = await metrics();
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = answer.text;
  const grown = (name: string) => Number(sample(text, name)) - Number(sample(before, name) ?? 0);
  expect(grown('fieldbell_deliveries_total{outcome="sent"}')).toBe(1);
  expect(grown('fieldbell_lateness_seconds_bucket{le="2"}')).toBe(0);
  expect(grown('fieldbell_lateness_seconds_bucket{le="5"}')).toBe(1);
  expect(grown('fieldbell_lateness_seconds_bucket{le="+Inf"}')).toBe(1);
  expect(grown('fieldbell_lateness_seconds_count')).toBe(1);
  expect(grown('fieldbell_lateness_seconds_sum')).toBe(4);
  expect(sample(text, 'fieldbell_wake_backlog')).toBe('0');
});

test('a flush that is forced ends when all is written, also by those that are under way', async () => {
  const services = createServices(env);
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let batches = 0;
  const batch: typeof services.db.batch = async (statements) => {
    await gates[batches++]?.promise;
    return services.db.batch(statements);
  };
  const db = new Proxy(services.db, {
    get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name)),
  });
  let time = services.now();
  const meter = createMeter({ db, now: () => time });
  const ended: string[] = [];
  const flush = (name: string, force?: boolean) => meter.flush(force).then(() => ended.push(name));
  meter.observe({ event: 'relay.misconfigured', service: 'android' });
  const first = flush('first');
  time += minutes;
  meter.observe({ event: 'delivery', outcome: 'sent', services: 'android' });
  const second = flush('second');
  const forced = flush('forced', true);
  gates[1].resolve();
  await second;
  gates[0].resolve();
  await Promise.all([first, forced]);
  expect(ended).toEqual(['second', 'first', 'forced']);
});

test('requests are counted by route, method and class of status, with how long they took, where metrics are read', async () => {
  const services = createServices(env);
  const meter = createMeter(services, { requests: true });
  let step = 0;
  let ms = 0;
  // Each look at the clock is later than the one before.
  const now = () => {
    ms += step;
    return Date.now() + ms;
  };
  const app = createApp({ ...services, log: meter.observe, now }, { ...readConfig(env), metricsToken });
  const ask = async (path: string, method = 'GET') => (await app.request(path, { method })).status;
  const before = (await metrics()).text;
  expect(await ask('/health')).toBe(200);
  step = 300;
  expect(await ask('/health')).toBe(200);
  step = 0;
  expect(await ask('/health', 'DELETE')).toBe(405);
  expect(await ask('/investigation/somebody@example.org')).toBe(401);
  expect(await ask('/nowhere/somebody@example.org', 'PROPFIND')).toBe(401);
  expect((await metrics()).text).toBe(before);
  await meter.flush();
  const { text } = await metrics();
  const name = 'fieldbell_request_duration_seconds';
  const grown = (series: string) => Number(sample(text, series) ?? 0) - Number(sample(before, series) ?? 0);
  const health = 'method="GET",route="/health",status="2xx"';
  expect(['0.01', '0.1', '0.5', '+Inf'].map((le) => grown(`${name}_bucket{${health},le="${le}"}`))).toEqual([
    1, 1, 2, 2,
  ]);
  expect(grown(`${name}_sum{${health}}`)).toBeCloseTo(0.3);
  for (const [labels, count] of [
    [health, 2],
    ['method="DELETE",route="/health",status="4xx"', 1],
    ['method="GET",route="/investigation/:id",status="4xx"', 1],
    ['method="other",route="/*",status="4xx"', 1],
  ] as const)
    expect(grown(`${name}_count{${labels}}`), labels).toBe(count);
  expect(text).not.toContain('example.org');
});

test('a request is named by its route, whichever it is, whoever asks and whatever becomes of it', async () => {
  const lines: LogEntry[] = [];
  const app = createApp({ ...createServices(env), log: (entry) => lines.push(entry) }, readConfig(env));
  const ada = await signUp('Ada');
  const named = async (method: string, path: string, init: object = {}) => {
    lines.length = 0;
    await app.request(path, { method, ...init });
    return lines.find(({ event }) => event === 'request')?.route;
  };
  const found: Record<string, unknown> = {};
  const patterns = app.routes.filter(({ method }) => method !== 'ALL');
  expect(patterns.length).toBeGreaterThan(60);
  for (const { method, path } of patterns) {
    // A request that names nothing is nobody's.
    const url = path.replaceAll(/:\w+/g, 'nothing');
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
    const body = method === 'GET' ? {} : { body: '{"colour":"red"}' };
    const names = [await named(method, url, body), await named(method, url, { headers, ...body })];
    if (names.some((name) => name !== path)) found[`${method} ${path}`] = names;
  }
  expect(found).toEqual({});
  const stranger = await newcomer('Ben');
  const headers = { authorization: `Bearer ${stranger.token}`, 'content-type': 'application/json' };
  expect(await named('POST', '/user', { headers, body: '{"name":"Ben"}' })).toBe('/user');
});

test('receipts are counted by what they tell, and disabled phones by platform', async () => {
  const study = await sleepStudy(daily);
  const user = study.responder;
  const phone = await newPhone(user);
  await pendingOf(user);
  setClock('2027-03-01T20:30:00.000Z');
  await servicesOf(env).alarms.deliver(user.id);
  setClock('2027-03-01T20:31:00.000Z');
  const services = createServices(env);
  const meter = createMeter(services, { requests: true });
  const before = (await metrics()).text;
  const app = createApp({ ...services, log: meter.observe }, readConfig(env));
  const post = (path: string, body: object) =>
    app.request(`https://fieldbell.localhost${path}`, requestOf({ method: 'POST', token: user.token, body }));
  const { body } = await user.get('/user/me/notifications');
  const notification = body.notifications[1].identifier;
  const at = '2027-03-01T20:30:30.000Z';
  await post(`/notification/${notification}/receipt`, { event: 'shown' });
  const receipts = ['shown', 'opened'].map((event) => ({ notification, event, at }));
  await post('/user/me/receipts', {
    receipts: [...receipts, { ...receipts[0], notification: 'ab'.repeat(16) }],
  });
  await plantFault(world, {
    action: 'Publish',
    code: 'EndpointDisabled',
    status: 400,
    times: null,
    token: phone.token,
  });
  await user.post(`/device/${phone.id}/test`);
  setClock('2027-03-02T20:30:00.000Z');
  await servicesOf(env).alarms.deliver(user.id);
  await meter.flush(true);
  const { text } = await metrics();
  const grown = (name: string) => Number(sample(text, name) ?? 0) - Number(sample(before, name) ?? 0);
  expect(grown('fieldbell_receipts_total{event="shown"}')).toBe(2);
  expect(grown('fieldbell_receipts_total{event="opened"}')).toBe(1);
  expect(grown('fieldbell_receipts_total{event="dismissed"}')).toBe(0);
  expect(grown('fieldbell_disabled_phones{platform="android"}')).toBe(1);
  expect(grown('fieldbell_disabled_phones{platform="ios"}')).toBe(0);
});

test('reading the metrics costs two round trips, and the same however many phones and notifications there are', async () => {
  const costs = [];
  for (const [from, to] of [
    [0, 20_000],
    [20_000, 60_000],
  ] as const) {
    await env.DB.prepare(
      `with recursive n(i) as (select ? union all select i + 1 from n where i < ?)
        insert into device (id, user_id, platform, token, endpoint, time_zone, enabled, created_at, updated_at, seen_at)
        select 'd' || i, 'nobody', iif(i % 3, 'android', 'ios'), 't' || i, 'e' || i, 'UTC', i % 2, 0, 0, 0 from n`,
    )
      .bind(from + 1, to)
      .run();
    await seedScheduled(
      Array.from({ length: to - from }, (_, n) => ({
        user: (from + n + 1).toString(16).padStart(32, '0'),
        survey: 'survey',
        on: '2027-03-02',
        dueAt: from + n + 1,
      })),
    );
    const { counts, database } = countedD1(env.DB);
    const app = createApp(
      { ...createServices(env), db: openD1(database), log: () => {} },
      { ...readConfig(env), metricsToken },
    );
    await app.request('/metrics', { headers: { authorization: `Bearer ${metricsToken}` } });
    expect(counts).toMatchObject({ roundTrips: 2, rowsWritten: 0 });
    costs.push(counts.rowsRead);
  }
  // Each is counted to 10,000: overdue notifications, and phones of two platforms.
  expect((costs[1] ?? 0) - (costs[0] ?? 0)).toBeLessThanOrEqual(20_000);
  expect(costs[1]).toBeLessThanOrEqual(35_000);
  await clearReminders();
  await env.DB.exec("delete from device where user_id = 'nobody'");
});

test('a process whose minute has stopped is not alive, though it answers', async () => {
  let isAlive = true;
  const { send: ask } = newApp({ minuteIsAlive: () => isAlive });
  expect(await ask('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  isAlive = false;
  expect(await ask('/health')).toMatchObject({ status: 503, body: { status: 'stopped' } });
});

test('requests alone are added each minute, and nowhere without a token for the metrics', async () => {
  const request = { event: 'request', method: 'GET', route: '/once', status: 200, ms: 3 };
  const services = createServices(env);
  const meter = createMeter(services, { requests: true });
  const silent = createMeter(services);
  const counted = async () => {
    await Promise.all([meter.flush(), silent.flush(true)]);
    const labels = 'method="GET",route="/once",status="2xx"';
    return Number(sample((await metrics()).text, `fieldbell_request_duration_seconds_count{${labels}}`) ?? 0);
  };
  silent.observe(request);
  meter.observe(request);
  expect(await counted()).toBe(1);
  meter.observe(request);
  later(30_000);
  expect(await counted()).toBe(1);
  later(30_000);
  expect(await counted()).toBe(2);
  meter.observe(request);
  meter.observe({ event: 'request.failed', code: 'internal.error' });
  later(10_000);
  expect(await counted()).toBe(3);
  expect((await metrics()).text).toContain('fieldbell_errors_total{code="internal.error"} ');
});

test('metrics are for who has their token, and nowhere without one', async () => {
  expect((await metrics('another-token')).status).toBe(401);
  expect((await send('/metrics')).status).toBe(404);
});

test('clients that hung up are counted apart', async () => {
  const before = Number(sample((await metrics()).text, 'fieldbell_clients_closed_total'));
  servicesOf(env).log({ event: 'client.closed', requestId: 'x' });
  await servicesOf(env).meter.flush(true);
  expect(sample((await metrics()).text, 'fieldbell_clients_closed_total')).toBe(`${before + 1}`);
});

test('counts that the database did not take are added later', async () => {
  let broken = true;
  const services = createServices(env);
  const db = new Proxy(services.db, {
    get: (target, key) => {
      if (broken && key === 'insert') throw new Error('D1 is overloaded');
      return Reflect.get(target, key);
    },
  });
  const meter = createMeter({ db, now: services.now });
  // A name of its own: deliveries of other tests may fail meanwhile.
  meter.observe({ event: 'delivery', outcome: 'forgotten' });
  await meter.flush();
  broken = false;
  later(10_000);
  await meter.flush();
  expect(sample((await metrics()).text, 'fieldbell_deliveries_total{outcome="forgotten"}')).toBe('1');
});
