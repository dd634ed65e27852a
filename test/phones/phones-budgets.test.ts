import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { applyRelayEvent } from '../../src/phones/relay-events.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { PushService } from '../../src/services.ts';
import type { Counts } from '../../tools/database/counted-d1.ts';
import type { Person } from '../support/people.ts';
import { easyPush, newApp, wrappedDb } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { daily } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

/* Apps register at each start, so what a phone costs may not grow with the phones that there are. */

const push: PushService = { ...createServices(env).push, ...easyPush };
const { measure } = countedApp((services) => ({ ...services, push }));

let tokens = 0;
const given = (token = `a-phone-${tokens++}`) => ({ platform: 'android', token, timeZone: 'Europe/Paris' });

/** Phones of people in no study, written past the front door. */
const seedPhones = (count: number) =>
  env.DB.prepare(
    `with recursive counter(n) as (select 0 union all select n + 1 from counter where n < ?1 - 1)
    insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
    select lower(hex(randomblob(16))), lower(hex(randomblob(16))), 'android', 'seeded-' || ?1 || '-' || n,
      'seeded/' || ?1 || '-' || n, 'Europe/Paris', n, n, n from counter`,
  )
    .bind(count)
    .run();

type Cost = Counts & { answer: { status: number; body: { identifier: string } } };
const post = (by: Person, token?: string): Promise<Cost> =>
  measure(by, 'POST', '/user/me/device', given(token));

/** Somebody with as many phones. */
async function withPhones(count: number, person: Promise<Person> = signUp('Anna')) {
  const anna = await person;
  for (let n = 0; n < count; n++) {
    await post(anna);
    later(1);
  }
  return anna;
}

const member = async () => (await sleepStudy(daily)).responder;

/** Requests of an app, and how many round trips each may take, and rows read and write. */
const operations: Record<
  string,
  [() => Promise<Cost>, roundTrips: number, rowsRead: number, rowsWritten: number]
> = {
  'registers the first phone': [async () => post(await withPhones(0)), 4, 32, 6],
  'registers at its next start': [
    async () => {
      const anna = await withPhones(1, member());
      const { token } = given();
      await post(anna, token);
      return post(anna, token);
    },
    2,
    30,
    3,
  ],
  'registers the tenth phone': [async () => post(await withPhones(9, member())), 2, 113, 5],
  // Planning the member again is 18 of the rows read, and three of those written; the zone of the past is one more.
  'registers the first phone of a member': [async () => post(await withPhones(0, member())), 4, 53, 8],
  'registers the eleventh phone': [async () => post(await withPhones(10)), 3, 138, 8],
  'registers a phone of somebody else': [
    async () => {
      const { token } = given();
      await post(await withPhones(0), token);
      return post(await withPhones(0), token);
    },
    // Both people's plans look at their zones of the past, and add one.
    5,
    84,
    13,
  ],
  'gives a phone another token': [
    async () => {
      const anna = await withPhones(1);
      const { body } = (await post(anna)).answer;
      return measure(anna, 'PATCH', `/device/${body.identifier}`, { token: given().token });
    },
    4,
    47,
    17,
  ],
  'deletes a phone': [
    async () => {
      const anna = await withPhones(1);
      const { body } = (await post(anna)).answer;
      return measure(anna, 'DELETE', `/device/${body.identifier}`);
    },
    5,
    35,
    5,
  ],
};

const counters = ['roundTrips', 'rowsRead', 'rowsWritten'] as const;

test('requests of an app about a phone cost the same at 2,000 phones and at 20,000', async () => {
  const costsAt = async (phones: number) => {
    await seedPhones(phones);
    const costs: [string, Cost][] = [];
    for (const [name, [operation]] of Object.entries(operations)) costs.push([name, await operation()]);
    return costs;
  };
  const [few, many] = [await costsAt(2_000), await costsAt(18_000)];
  for (const [n, [name, cost]] of few.entries()) {
    const [, trips, read, written] = operations[name] ?? [];
    expect(cost.answer.status, name).toBeLessThan(300);
    // Identifiers are random, and so is where a row stands among its neighbours.
    for (const counter of counters)
      expect(Math.abs((many[n]?.[1][counter] ?? 0) - cost[counter]), `${name}: ${counter}`).toBeLessThan(8);
    expect(cost.roundTrips, name).toBeLessThanOrEqual(trips ?? 0);
    expect(cost.rowsRead, name).toBeLessThanOrEqual(read ?? 0);
    expect(cost.rowsWritten, name).toBeLessThanOrEqual(written ?? 0);
  }
});

test('no statement about phones walks their table', async () => {
  const asked = new Set<string>();
  const db = wrappedDb((queries, answer) => {
    for (const query of queries) asked.add(query);
    return answer();
  });
  const services = { ...createServices(env), db, log: () => {} };
  const { send } = newApp({ db });
  const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
  const phone = await newPhone(anna);
  const call = (by: Person, method: string, path: string, body?: object) =>
    send(path, { method, token: by.token, ...(body && { body }) });
  await call(anna, 'POST', '/user/me/device', given(phone.token));
  await call(anna, 'PATCH', `/device/${phone.id}`, { token: given().token });
  const moved = await call(ben, 'POST', '/user/me/device', given(phone.token));
  await call(ben, 'POST', `/device/${moved.body.identifier}/test`);
  await call(ben, 'GET', '/user/me/devices');
  const endpoint = await env.DB.prepare('select endpoint from device where id = ?')
    .bind(moved.body.identifier)
    .first<string>('endpoint');
  const event = { id: 'an-event', kind: 'undeliverable' as const, endpoint: endpoint ?? '', at: Date.now() };
  const context = { ...services, actor: ben.id, now: Date.now(), outbox: [] };
  await applyRelayEvent(context as unknown as Parameters<typeof applyRelayEvent>[0], event);
  await call(ben, 'DELETE', `/device/${moved.body.identifier}`);
  await call(anna, 'DELETE', '/user/me');
  for (let n = 0; n < 2; n++) {
    later(2 * minutes);
    await sweep(services);
  }
  const about = [...asked].filter((query) => /\bdevice\b/.test(query));
  expect(about.length).toBeGreaterThan(15);
  for (const query of about) {
    const used = [...query.matchAll(/\?(\d*)/g)].map(([, number], n) => Number(number) || n + 1);
    const places = Array.from({ length: Math.max(0, ...used) }, () => null);
    const { results } = await env.DB.prepare(`explain query plan ${query}`)
      .bind(...places)
      .all<{ detail: string }>();
    const names = ['device', ...[...query.matchAll(/\bdevice ([a-z])\b/g)].map(([, alias]) => alias)];
    expect(results.filter(({ detail }) => names.some((name) => detail.startsWith(`SCAN ${name}`)))).toEqual(
      [],
    );
  }
});
