import { createScheduledController, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliverWebhooks } from '../../src/webhooks/delivery.ts';
import worker from '../../src/worker.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { eventually } from '../support/eventually.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { days, hours, later, minutes } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';
import { type Received, receiver } from './support/receivers.ts';

const url = 'https://hooks.example.org/fieldbell?key=of-the-url';
const ok = () => new Response(null, { status: 204 });

afterEach(() => vi.restoreAllMocks());

const add = async ({ owner, id }: Pick<Study, 'owner' | 'id'>, more = {}) =>
  created(await owner.post(`/investigation/${id}/webhook`, { url, ...more }));
const read = async (of: Person, { identifier }: { identifier: string }) =>
  (await of.get(`/webhook/${identifier}`)).body;
const minute = () =>
  worker.scheduled(createScheduledController({ scheduledTime: new Date(), cron: '* * * * *' }), env);

/** The minutes from now on, until the time is over. */
async function pass(ms: number, step = minutes) {
  for (let passed = 0; passed < ms; passed += step) {
    later(step);
    await minute();
  }
}

const sequencesOf = (calls: Received[]) =>
  calls.flatMap(({ body }) => body.changes.map(({ sequence }: { sequence: number }) => sequence));

test('a write calls the webhook with identifiers only, signed by Standard Webhooks, and 2xx moves the cursor', async () => {
  const study = await sleepStudy();
  const hook = await add(study);
  expect(hook).toMatchObject({ state: 'active', position: hook.latest, url });
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/=]{32,44}$/);
  const calls = receiver(ok);
  const night = await newCase(study, study.responder);
  await eventually('a call', () => calls.length === 1);
  const [call] = calls as [Received];
  new Webhook(hook.secret).verify(call.text, call.headers);
  expect(call.body).toEqual({
    type: 'study.changed',
    investigation: `investigation/${study.id}`,
    changes: [
      {
        sequence: hook.latest + 1,
        kind: 'case',
        identifier: night,
        state: 'active',
        at: '2027-03-01T08:00:00.000Z',
      },
    ],
    next: hook.latest + 1,
    latest: hook.latest + 1,
  });
  expect(call.redirect).toBe('manual');
  await eventually(
    'a new position',
    async () => (await read(study.owner, hook)).position === hook.latest + 1,
  );
  const { body } = await study.owner.get(`/webhook/${hook.identifier}/deliveries`);
  expect(body.deliveries).toMatchObject([{ id: call.headers['webhook-id'], status: 204, changes: 1 }]);
  await minute();
  expect(calls).toHaveLength(1);
});

test('a receiver that is down for 72 hours, and then fails each third call, gets everything in order', async () => {
  const study = await sleepStudy();
  let down = true;
  const calls = receiver((_, n) => (down || n % 3 === 0 ? new Response('no', { status: 500 }) : ok()));
  const hook = await add(study, { after: 0 });
  await minute();
  expect(calls).toHaveLength(1);
  expect(await read(study.owner, hook)).toMatchObject({ state: 'failing', position: 0 });
  await pass(2 * minutes);
  expect(calls).toHaveLength(2);
  expect(calls[1]?.headers['webhook-id']).toBe(calls[0]?.headers['webhook-id']);
  expect(calls[1]?.body.changes).toEqual(calls[0]?.body.changes);
  await pass(72 * hours, hours);
  expect(calls.length).toBeLessThan(16);
  await newCase(study, study.responder, 'Night 2');
  down = false;
  await pass(40 * hours, hours);
  const now = await read(study.owner, hook);
  expect(now).toMatchObject({ state: 'active', position: now.latest });
  const received = sequencesOf(calls.filter(({ body }) => body.next > 0));
  const last = new Set(received);
  expect(Math.max(...last)).toBe(now.latest);
  const feed = (await study.owner.get(`/investigation/${study.id}/changes`)).body.changes;
  for (const { sequence } of feed) expect(last.has(sequence)).toBe(true);
});

test('a batch that is repeated never names later changes under the same webhook-id', async () => {
  const study = await sleepStudy();
  const calls = receiver((_, n) => (n === 1 ? new Response('no', { status: 500 }) : ok()));
  await add(study, { after: 0 });
  await minute();
  await study.owner.patch(`/investigation/${study.id}`, { name: 'Dreams' });
  await pass(10 * minutes);
  const [first, repeat, rest] = calls as [Received, Received, Received];
  expect(repeat.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(rest.headers['webhook-id']).not.toBe(first.headers['webhook-id']);
  expect(first.body.changes).toMatchObject([{ kind: 'study' }, ...Array(5).fill({})]);
  expect(repeat.body.changes).toEqual(first.body.changes.slice(1));
  expect(rest.body.changes).toMatchObject([{ kind: 'study', identifier: study.id }]);
});

test('410 disables at once, five days without success as well; an owner can make it active again', async () => {
  const study = await sleepStudy();
  let status = 500;
  const calls = receiver(() => new Response(null, { status }));
  const hook = await add(study, { after: 0 });
  await minute();
  await pass(4 * days, 2 * hours);
  expect(await read(study.owner, hook)).toMatchObject({ state: 'failing' });
  await pass(1.2 * days, 2 * hours);
  expect(await read(study.owner, hook)).toMatchObject({ state: 'disabled', position: 0 });
  const before = calls.length;
  await newCase(study, study.responder);
  await pass(days, 6 * hours);
  expect(calls).toHaveLength(before);
  status = 410;
  expect((await study.owner.patch(`/webhook/${hook.identifier}`, { state: 'active' })).status).toBe(200);
  await minute();
  expect(await read(study.owner, hook)).toMatchObject({ state: 'disabled' });
  status = 200;
  later(10_000);
  await study.owner.patch(`/webhook/${hook.identifier}`, { state: 'active' });
  await minute();
  const now = await read(study.owner, hook);
  expect(now).toMatchObject({ state: 'active', position: now.latest });
});

test('2xx whose record is lost is repeated under the same webhook-id', async () => {
  const study = await sleepStudy();
  const hook = await add(study, { after: 0 });
  // The process dies after the answer: the claim is there, its end is not.
  await env.DB.prepare(
    `update webhook set batch_id = 'msg_died', batch_through = 3, next_attempt_at = ? where id = ?`,
  )
    .bind(Date.now() + 30_000, hook.identifier)
    .run();
  const calls = receiver(ok);
  await minute();
  expect(calls).toHaveLength(0);
  await pass(minutes);
  expect(calls[0]?.headers['webhook-id']).toBe('msg_died');
  expect(sequencesOf(calls)).toEqual((await feedOf(study)).map(({ sequence }) => sequence));
});

const feedOf = async ({ owner, id }: Study): Promise<{ sequence: number }[]> =>
  (await owner.get(`/investigation/${id}/changes`)).body.changes;

test.each([
  [
    302,
    'https://script.example.com/macros/echo?user_content_key=secret#x',
    ': the address leads to https://script.example.com/macros/echo',
  ],
  [308, '//www.example.org/hook', ': the address leads to https://www.example.org/hook'],
  [307, '/hook/', ': the address leads to https://hooks.example.org/hook/'],
  [303, 'https://user:password@example.org/x', ': the address leads to https://example.org/x'],
  [
    301,
    `https://example.org/${'x'.repeat(500)}`,
    `: the address leads to https://example.org/${'x'.repeat(180)}`,
  ],
  [302, 'javascript:alert(1)', ''],
  [302, 'https://', ''],
  [302, '', ''],
  [404, 'https://example.org/', ''],
])('a test that is answered by %s and %s says where the address leads', async (status, location, where) => {
  const study = await sleepStudy();
  const calls = receiver(
    () => new Response(null, { status, ...(location !== '' && { headers: { location } }) }),
  );
  const hook = await add(study);
  const { body } = await study.owner.post(`/webhook/${hook.identifier}/test`);
  expect(body.error).toBe(`HTTP ${status}${where}`);
  const { deliveries } = (await study.owner.get(`/webhook/${hook.identifier}/deliveries`)).body;
  expect(deliveries).toMatchObject([{ status, error: `HTTP ${status}${where}` }]);
  expect(calls).toHaveLength(1);
});

test('calls have at most 100 changes, only of the kinds asked for, and redirects are not followed', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.responder);
  for (let n = 0; n < 5; n++) await newResponse(study, study.responder, night);
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2250)
      insert into change select ?1, (select max(sequence) from change where investigation_id = ?1) + i,
        iif(i % 9 = 0, 'case', 'response'), printf('%032x', i), 'active', 0, null, null from n`,
  )
    .bind(study.id)
    .run();
  let status = 301;
  const calls = receiver(
    () => new Response(null, { status, headers: { location: 'https://elsewhere.example.org/' } }),
  );
  const hook = await add(study, { after: 0, kinds: ['case'] });
  await minute();
  expect(calls).toHaveLength(1);
  expect(await read(study.owner, hook)).toMatchObject({
    state: 'failing',
    lastDelivery: { status: 301, error: 'HTTP 301: the address leads to https://elsewhere.example.org/' },
  });
  status = 200;
  await pass(2 * minutes);
  expect(calls.slice(1).map(({ body }) => body.changes.length)).toEqual([100, 100, 51]);
  for (const { body } of calls) for (const { kind } of body.changes) expect(kind).toBe('case');
  const now = await read(study.owner, hook);
  expect(now.position).toBe(now.latest);
});

test('while secrets rotate both sign, and secrets are in no other answer, nor in the log', async () => {
  const study = await sleepStudy();
  const { owner, id } = study;
  const calls = receiver(ok);
  const hook = await add(study);
  const rotated = (await owner.post(`/webhook/${hook.identifier}/rotate`)).body;
  expect(rotated.secret).not.toBe(hook.secret);
  await newCase(study, study.responder);
  await eventually('a call', () => calls.length === 1);
  const [call] = calls as [Received];
  expect(call.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const { secret } of [hook, rotated]) new Webhook(secret).verify(call.text, call.headers);
  later(days);
  await newCase(study, study.responder, 'Night 2');
  await eventually('another call', () => calls.length === 2);
  const [, next] = calls as [Received, Received];
  new Webhook(rotated.secret).verify(next.text, next.headers);
  expect(() => new Webhook(hook.secret).verify(next.text, next.headers)).toThrow();

  await owner.patch(`/webhook/${hook.identifier}`, { state: 'paused' });
  await owner.post(`/webhook/${hook.identifier}/replay`, { after: 0 });
  const answers = [
    await owner.get(`/investigation/${id}/webhooks`),
    await owner.get(`/webhook/${hook.identifier}`),
    await owner.get(`/webhook/${hook.identifier}/deliveries`),
    await owner.get(`/investigation/${id}/activity`),
    await owner.get('/user/me/export'),
  ];
  for (const { text } of answers) expect(text).not.toContain('whsec_');
  expect((await owner.delete(`/webhook/${hook.identifier}`)).status).toBe(204);
  const { text, body } = await owner.get(`/investigation/${id}/activity`);
  expect(body.activities.map(({ action }: { action: string }) => action).slice(0, 5)).toEqual([
    'webhook.removed',
    'webhook.replayed',
    'webhook.changed',
    'webhook.rotated',
    'webhook.added',
  ]);
  expect(text).not.toContain('of-the-url');
});

test('a pause stops calls, a replay goes back under new ids, and a test names nothing', async () => {
  const study = await sleepStudy();
  const { owner } = study;
  const calls = receiver(ok);
  const hook = await add(study, { after: 0 });
  await minute();
  const path = `/webhook/${hook.identifier}`;
  expect((await owner.patch(path, { state: 'paused' })).body.state).toBe('paused');
  await newCase(study, study.responder);
  await pass(5 * minutes);
  expect(calls).toHaveLength(1);
  await owner.patch(path, { state: 'active' });
  await minute();
  expect(calls).toHaveLength(2);
  expect((await owner.post(`${path}/replay`, { after: 0 })).body.position).toBe(0);
  await minute();
  expect(calls).toHaveLength(3);
  const [first, second, again] = calls as [Received, Received, Received];
  expect(again.body.changes).toEqual([...first.body.changes, ...second.body.changes]);
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  expectProblem(await owner.post(`${path}/replay`, { after: 10_000 }), 'request.invalid', ['/after']);
  later(10_000);
  const tried = await owner.post(`${path}/test`);
  expect([tried.status, tried.body]).toMatchObject([200, { status: 204, changes: 0 }]);
  expect(calls[3]?.body).toMatchObject({ type: 'webhook.test', changes: [] });
});

test('a study has ten webhooks, a repeat finds the first, and other owners find none', async () => {
  const study = await sleepStudy();
  const { owner, id } = study;
  const first = await add(study, { identifier: 'a'.repeat(32) });
  const again = await owner.post(`/investigation/${id}/webhook`, { url, identifier: 'a'.repeat(32) });
  expect([again.status, again.body.secret, again.body.identifier]).toEqual([
    200,
    undefined,
    first.identifier,
  ]);
  expectProblem(
    await owner.post(`/investigation/${id}/webhook`, { url: `${url}2`, identifier: 'a'.repeat(32) }),
    'identifier.taken',
  );
  for (let n = 1; n < 10; n++) await add(study);
  expectProblem(await owner.post(`/investigation/${id}/webhook`, { url }), 'limit.reached');
  expect((await owner.get(`/investigation/${id}/webhooks`)).body.webhooks).toHaveLength(10);
  const eve = await signUp('Eve');
  expectProblem(await eve.get(`/webhook/${first.identifier}`), 'resource.not-found');
});

/** Rings the alarms of webhooks that have turns of their own, as the platform does at once. Resolves when they are over. */
const ring = (hooks: { identifier: string }[]) =>
  Promise.all(
    hooks.map(({ identifier }) => runDurableObjectAlarm(env.WEBHOOK.get(env.WEBHOOK.idFromName(identifier)))),
  );

/** A receiver of which URLs with `slow` do not answer until the end. Calls in several invocations share no promise. */
function slowReceiver() {
  let ended = false;
  const calls = receiver(async (call) => {
    while (call.url.includes('slow') && !ended) await scheduler.wait(10);
    return ok();
  });
  return {
    calls,
    end: () => {
      ended = true;
    },
  };
}

test('ten slow receivers of one study hold up no other study', async () => {
  await env.DB.exec('delete from webhook');
  const [slow, fast] = [await sleepStudy(), await sleepStudy()];
  const { calls, end } = slowReceiver();
  const hooks: { identifier: string }[] = [];
  for (let n = 0; n < 10; n++) hooks.push(await add(slow, { url: `https://slow${n}.example.org/` }));
  const hook = await add(fast);
  await env.DB.prepare('update webhook set position = 0, next_attempt_at = 0').run();
  const run = minute();
  await eventually('the fast one', async () => (await read(fast.owner, hook)).position > 0);
  expect(calls.filter(({ url }) => url.includes('slow')).length).toBeLessThan(10);
  end();
  await run;
  await ring(hooks);
  expect(calls).toHaveLength(11);
});

test('more slow studies than a sweep calls at once hold up no other study', async () => {
  await env.DB.exec('delete from webhook');
  const { calls, end } = slowReceiver();
  const addTo = async (n: number) => {
    const study = await sleepStudy();
    return { study, hook: await add(study, { url: `https://${n < 6 ? 'slow' : 'fast'}${n}.example.org/` }) };
  };
  const hooks: Awaited<ReturnType<typeof addTo>>[] = [];
  for (let n = 0; n < 7; n++) hooks.push(await addTo(n));
  // The fast one is due last.
  for (const [n, { hook }] of hooks.entries())
    await env.DB.prepare('update webhook set position = 0, next_attempt_at = ? where id = ?')
      .bind(n, hook.identifier)
      .run();
  const run = minute();
  const { study, hook } = hooks[6] as (typeof hooks)[number];
  await eventually('the slow ones', () => calls.length === 4);
  let turns: Promise<unknown> = Promise.resolve();
  await eventually('the fast one', async () => {
    turns = Promise.all([turns, ring(hooks.map((one) => one.hook))]);
    return (await read(study.owner, hook)).position > 0;
  });
  end();
  await Promise.all([run, turns]);
  expect(calls).toHaveLength(7);
});

test('a write looks at the webhooks of its own study; the sweep finds those of others', async () => {
  await env.DB.exec('delete from webhook');
  const [mine, theirs] = [await sleepStudy(), await sleepStudy()];
  let status = 500;
  const calls = receiver(() => new Response(null, { status }));
  await add(theirs, { url: 'https://theirs.example.org/', after: 0 });
  await eventually('their call', () => calls.length === 1);
  status = 204;
  later(minutes);
  const hook = await add(mine);
  await newCase(mine, mine.responder);
  await eventually('my call', async () => (await read(mine.owner, hook)).position > hook.position);
  // The caller's own name is shown in all of their studies.
  await mine.responder.patch('/user/me', { name: 'Chidi Anagonye' });
  await eventually('another', async () => {
    const { position, latest } = await read(mine.owner, hook);
    return position === latest && calls.length === 3;
  });
  expect(calls.slice(1).map(({ url: called }) => called)).toEqual([url, url]);
  await minute();
  expect(calls).toHaveLength(4);
});

test('a change whose look never came is found by the next sweep', async () => {
  const study = await sleepStudy();
  const hook = await add(study);
  const { request } = countedApp(({ webhooks, ...services }) => ({
    ...services,
    ...(webhooks && { webhooks: { ...webhooks, wake: () => {} } }),
  }));
  const calls = receiver(ok);
  expect((await request(study.owner, 'PATCH', `/investigation/${study.id}`, { name: 'Dreams' })).status).toBe(
    200,
  );
  expect((await read(study.owner, hook)).position).toBe(hook.latest);
  await minute();
  expect(sequencesOf(calls)).toEqual([hook.latest + 1]);
});

test('a look reads one row when none is behind, however many webhooks wait', async () => {
  await env.DB.exec('delete from webhook');
  const study = await sleepStudy();
  const hook = await add(study);
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into webhook (id, investigation_id, url, secret, position, created_at, created_hash)
      select printf('%032x', i), printf('%032x', i % 100), url, secret, 0, 0, '' from n, webhook where webhook.id = ?`,
  )
    .bind(hook.identifier)
    .run();
  const { counts, database } = countedD1(env.DB);
  await deliverWebhooks({ ...createServices(env), db: openD1(database) });
  expect(counts).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  await env.DB.exec('delete from webhook');
});

test('a webhook that is far behind goes on in invocations of its own, without waiting for a minute', async () => {
  const study = await sleepStudy();
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 16000)
      insert into change select ?1, (select max(sequence) from change where investigation_id = ?1) + i,
        'response', printf('%032x', i), 'active', 0, null, null from n`,
  )
    .bind(study.id)
    .run();
  const calls = receiver(ok);
  const hook = await add(study, { after: 0 });
  await eventually('the end', async () => {
    await ring([hook]);
    const { position, latest } = await read(study.owner, hook);
    return position === latest;
  });
  expect(calls.length).toBeGreaterThan(160);
  const sequences = sequencesOf(calls);
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  expect(sequences).toHaveLength(16_000 + 6);
});

test('a position that an owner sets during a call stays', async () => {
  const study = await sleepStudy();
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const calls = receiver(async (_, n) => {
    await waits[n - 1]?.promise;
    return ok();
  });
  const hook = await add(study);
  await env.DB.prepare('update webhook set position = 0, next_attempt_at = 0 where id = ?')
    .bind(hook.identifier)
    .run();
  const first = deliverWebhooks(createServices(env), hook.identifier);
  await eventually('a call', () => calls.length === 1);
  await study.owner.post(`/webhook/${hook.identifier}/replay`, { after: 2 });
  await eventually('the call after it', () => calls.length === 2);
  waits[0]?.resolve();
  await first;
  expect((await read(study.owner, hook)).position).toBe(2);
  waits[1]?.resolve();
  await eventually('the end', async () => {
    const { position, latest } = await read(study.owner, hook);
    return position === latest;
  });
  await minute();
  expect(calls.map(({ body }) => body.changes[0].sequence)).toEqual([1, 3]);
});

test('the last fifty calls are kept, newest first', async () => {
  const study = await sleepStudy();
  const hook = await add(study);
  receiver((_, n) => new Response(null, { status: 200 + (n % 2) * 300 }));
  for (let n = 0; n < 52; n++) {
    later(10_000);
    await study.owner.post(`/webhook/${hook.identifier}/test`);
  }
  const { deliveries } = (await study.owner.get(`/webhook/${hook.identifier}/deliveries`)).body;
  expect(deliveries).toHaveLength(50);
  expect(deliveries.slice(0, 2)).toMatchObject([
    { status: 200, changes: 0 },
    { status: 500, error: 'HTTP 500' },
  ]);
});
