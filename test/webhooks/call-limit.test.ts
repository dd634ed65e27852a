import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliverWebhooks } from '../../src/webhooks/delivery.ts';
import worker from '../../src/worker.ts';
import { eventually } from '../support/eventually.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { hours, later, minutes } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { jobsDone } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { receiver } from './support/receivers.ts';

const seconds = 1000;
const url = 'https://hooks.example.org/fieldbell';
const ok = () => new Response(null, { status: 204 });

// Those of other tests are due, too.
beforeEach(() => env.DB.exec('delete from webhook').then(() => {}));
afterEach(() => vi.restoreAllMocks());

const add = async ({ owner, id }: Pick<Study, 'owner' | 'id'>, more = {}) =>
  created(await owner.post(`/investigation/${id}/webhook`, { url, ...more }));
const read = async (of: Person, { identifier }: { identifier: string }) =>
  (await of.get(`/webhook/${identifier}`)).body;
const minute = () =>
  worker.scheduled(createScheduledController({ scheduledTime: new Date(), cron: '* * * * *' }), env);

test('a webhook is tested or replayed once in ten seconds, and says when again', async () => {
  const study = await sleepStudy();
  const { owner } = study;
  const calls = receiver(ok);
  const { identifier } = await add(study);
  const path = `/webhook/${identifier}`;
  expect((await owner.post(`${path}/test`)).status).toBe(200);
  later(4 * seconds);
  for (const again of [owner.post(`${path}/test`), owner.post(`${path}/replay`, { after: 0 })]) {
    const answer = await again;
    expectProblem(answer, 'rate.limited');
    expect(answer.headers.get('retry-after')).toBe('6');
  }
  await minute();
  expect(calls).toHaveLength(1);
  later(6 * seconds);
  expect((await owner.post(`${path}/replay`, { after: 0 })).body.position).toBe(0);
  expectProblem(await owner.post(`${path}/test`), 'rate.limited');
  // A request that changes nothing takes no turn.
  later(10 * seconds);
  expectProblem(await owner.post(`${path}/replay`, { after: 1_000_000 }), 'request.invalid', ['/after']);
  expectProblem(await study.editor.post(`${path}/test`), 'action.forbidden');
  const both = await Promise.all([owner.post(`${path}/test`), owner.post(`${path}/test`)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429]);
});

test('an owner of many webhooks asks for five calls in ten seconds, other owners for theirs', async () => {
  const [study, other] = [await sleepStudy(), await sleepStudy()];
  const calls = receiver(ok);
  const hooks: { identifier: string }[] = [];
  for (let n = 0; n < 7; n++) hooks.push(await add(study));
  const statuses: number[] = [];
  for (const { identifier } of hooks)
    statuses.push((await study.owner.post(`/webhook/${identifier}/test`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(calls).toHaveLength(5);
  const theirs = await add(other);
  expect((await other.owner.post(`/webhook/${theirs.identifier}/test`)).status).toBe(200);
  later(10 * seconds);
  expect((await study.owner.post(`/webhook/${hooks[6]?.identifier}/test`)).status).toBe(200);
});

test('a webhook that changes again and again calls once in ten seconds', async () => {
  const study = await sleepStudy();
  const calls = receiver(() => new Response(null, { status: 500 }));
  const hook = await add(study, { after: 0 });
  await minute();
  expect(calls).toHaveLength(1);
  for (let n = 0; n < 20; n++)
    await study.owner.patch(`/webhook/${hook.identifier}`, { url: `https://n${n}.example.org/` });
  await minute();
  expect(calls).toHaveLength(1);
  // And may be tested at once.
  expect((await study.owner.post(`/webhook/${hook.identifier}/test`)).status).toBe(200);
  later(10 * seconds);
  await minute();
  const last = 'https://n19.example.org/';
  expect(calls.map((call) => call.url)).toEqual([url, last, last]);
});

test('a failing webhook is tried at once when its owner says that it is active', async () => {
  const study = await sleepStudy();
  let status = 500;
  const calls = receiver(() => new Response(null, { status }));
  const hook = await add(study, { after: 0 });
  await minute();
  later(5 * minutes);
  await minute();
  expect(calls).toHaveLength(2);
  const before = await read(study.owner, hook);
  expect(before).toMatchObject({ state: 'failing', position: 0 });
  const log = async () =>
    (await study.owner.get(`/investigation/${study.id}/activity`)).body.activities.length;
  const entries = await log();
  status = 204;
  later(10 * seconds);
  expect((await study.owner.patch(`/webhook/${hook.identifier}`, { state: 'active' })).status).toBe(200);
  await eventually('the call', () => calls.length === 3);
  await jobsDone();
  expect(await read(study.owner, hook)).toMatchObject({ state: 'active', position: before.latest });
  expect(calls[2]?.headers['webhook-id']).toBe(calls[1]?.headers['webhook-id']);
  // Nothing of the webhook was changed.
  expect(await log()).toBe(entries);
  await study.owner.patch(`/webhook/${hook.identifier}`, { state: 'active' });
  await jobsDone();
  expect(calls).toHaveLength(3);
});

test('a failing webhook that is told so again and again is tried once in ten seconds, and its five days go on', async () => {
  const study = await sleepStudy();
  const calls = receiver(() => new Response(null, { status: 500 }));
  const hook = await add(study, { after: 0 });
  await minute();
  const { failingSince } = await read(study.owner, hook);
  later(hours);
  for (let n = 0; n < 10; n++) {
    await study.owner.patch(`/webhook/${hook.identifier}`, { state: 'active' });
    await minute();
  }
  expect(calls).toHaveLength(2);
  expect(await read(study.owner, hook)).toMatchObject({ state: 'failing', failingSince });
});

test.each([
  ['succeeds', 204],
  ['fails', 500],
  ['is the last', 410],
])('a position that an owner sets during a call that %s stays, and is called at once', async (_, status) => {
  const study = await sleepStudy();
  const wait = Promise.withResolvers<void>();
  const calls = receiver(async (__, n) => {
    if (n > 1) return ok();
    await wait.promise;
    return new Response(null, { status });
  });
  const hook = await add(study);
  const { latest } = hook;
  await env.DB.prepare('update webhook set position = 3, next_attempt_at = 0 where id = ?')
    .bind(hook.identifier)
    .run();
  const first = deliverWebhooks(createServices(env), hook.identifier);
  await eventually('a call', () => calls.length === 1);
  // The call ends before anybody looks at the new position.
  const { request } = countedApp(({ webhooks, ...services }) => ({
    ...services,
    ...(webhooks && { webhooks: { ...webhooks, wake: () => {} } }),
  }));
  const replayed = await request(study.owner, 'POST', `/webhook/${hook.identifier}/replay`, { after: 1 });
  expect(replayed.status).toBe(200);
  wait.resolve();
  await first;
  await minute();
  expect(
    calls.slice(1).flatMap(({ body }) => body.changes.map((one: { sequence: number }) => one.sequence)),
  ).toEqual(Array.from({ length: latest - 1 }, (__, n) => n + 2));
  expect(await read(study.owner, hook)).toMatchObject({ state: 'active', position: latest });
});

test('webhooks of a deleted study are not called, and go on when it is restored', async () => {
  const study = await sleepStudy();
  const { owner, id } = study;
  const path = `/investigation/${id}`;
  let status = 500;
  const calls = receiver(() => new Response(null, { status }));
  const hook = await add(study, { after: 0 });
  await newCase(study, owner);
  expect((await owner.patch(path, { status: 'archived' })).status).toBe(200);
  await minute();
  const before = calls.length;
  expect(before).toBeGreaterThan(0);
  expect((await owner.delete(path)).status).toBe(204);
  status = 204;
  for (let n = 0; n < 6; n++) {
    later(hours);
    await minute();
  }
  expectProblem(await owner.post(`/webhook/${hook.identifier}/test`), 'resource.not-found');
  expect(calls).toHaveLength(before);
  expect((await owner.post(`${path}/restore`)).status).toBe(200);
  later(hours);
  await minute();
  expect(calls.length).toBeGreaterThan(before);
  const now = await read(owner, hook);
  expect(now).toMatchObject({ state: 'active', position: now.latest });
});
