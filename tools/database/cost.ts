import type { D1Database } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { sweep } from '../../src/operations/jobs.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { deliver, planAll } from '../../src/reminders/jobs.ts';
import type { Services } from '../../src/services.ts';
import { settingDefaults } from '../settings/defaults.ts';
import { signToken } from '../tokens/sign.ts';
import { countedD1 } from './counted-d1.ts';
import { migrateD1 } from './local-d1.ts';

/*
 * `npm run cost`: the cost of each operation on a database in memory, by D1's own counters and the calls of the ports,
 * and what a million reminders cost in dollars at the prices below.
 */

/** Dollars for a million: developers.cloudflare.com (D1, Durable Objects), aws.amazon.com/sns/pricing. */
const prices = {
  rowsRead: 0.001,
  rowsWritten: 1,
  objectRequests: 0.15,
  setAlarms: 1,
  pushes: 1,
};

/** A delivery keeps its object awake for about 300 ms of 128 MB, at $12.50 for a million GB-s. */
const durationDollars = 0.3 * 0.128 * 12.5;

interface Cost {
  operation: string;
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
  objectRequests: number;
  pushes: number;
}

const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ persist: false });
const ports = { objectRequests: 0, pushes: 0 };
const { counts, database } = countedD1(env.DB);
const config = readConfig(settingDefaults);
const deferred: (() => Promise<void>)[] = [];
let now = Date.parse('2027-03-01T08:00:00.000Z');

const services: Services = {
  db: openD1(database),
  now: () => now,
  log: () => {},
  push: {
    platforms: ['android'],
    fits: () => true,
    register: async ({ token }) => ({ state: 'registered', endpoint: `endpoint/${token}` }),
    remove: async () => ({ state: 'removed' }),
    send: async () => ({ state: 'sent', messageId: String(++ports.pushes) }),
    check: async () => ({ state: 'unavailable', error: 'not measured' }),
    receive: async () => ({ state: 'refused', why: 'foreign', detail: 'not measured' }),
  },
  alarms: {
    arm: async () => void ports.objectRequests++,
    deliver: async () => void ports.objectRequests++,
  },
  defer: (work) => deferred.push(work),
  pushesPerDay: Infinity,
  records: { refused: false },
};

const app = createApp(services, config);
const table: Cost[] = [];

async function measure<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const before = { ...counts, ...ports };
  const result = await work();
  table.push({
    operation,
    roundTrips: counts.roundTrips - before.roundTrips,
    rowsRead: counts.rowsRead - before.rowsRead,
    rowsWritten: counts.rowsWritten - before.rowsWritten,
    objectRequests: ports.objectRequests - before.objectRequests,
    pushes: ports.pushes - before.pushes,
  });
  return result;
}

/** Sends one person's requests. The first one also looks the user up. */
async function person(subject: string) {
  const token = await signToken(config.auth, { subject, expiresIn: 365 * 24 * 3600 });
  return async (method: string, path: string, body?: object) => {
    const answer = await app.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
    return (text.startsWith('{') ? JSON.parse(text) : {}) as any;
  };
}

async function run() {
  await migrateD1(env.DB);
  // The first sweep of a service begins to plan everybody by the zone rules, and a later one ends it.
  await sweep(services);
  now += 15 * 60_000;
  await sweep(services);
  const [ada, chidi] = [await person('ada'), await person('chidi')];
  await ada('POST', '/user', { name: 'Ada' });
  const user = await measure('sign up', () => chidi('POST', '/user', { name: 'Chidi' }));
  const study = (await ada('POST', '/investigation', { name: 'Sleep' })).identifier;
  await ada('POST', `/investigation/${study}/member`, { user: user.identifier, role: 'responder' });
  const items = [{ identifier: 'q1', label: 'How did you sleep?' }];
  const survey = (await ada('POST', `/investigation/${study}/survey`, { name: 'Diary', items })).identifier;
  const night = (await ada('POST', `/investigation/${study}/case`, { label: 'Night 1' })).identifier;
  await chidi('GET', '/user/me');
  const answer = () => chidi('POST', `/survey/${survey}/response`, { case: night, items: { q1: 'well' } });
  const response = (await measure('give a response', answer)).uri.slice(-32);
  for (let n = 0; n < 99; n++) await answer();

  await measure('read a response', () => ada('GET', `/response/${response}`));
  await measure('revise a response', () => ada('PATCH', `/response/${response}`, { items: { q1: 'badly' } }));
  const page = await measure('a page of 100 responses', () =>
    ada('GET', `/investigation/${study}/responses?limit=100`),
  );
  const responses = page.responses.map(({ identifier }: { identifier: string }) => ({ identifier }));
  await measure('lock 100 responses', () =>
    ada('POST', `/investigation/${study}/lock-items`, { responses, status: 'locked' }),
  );
  const phone = { platform: 'android', token: 'a-phone', timeZone: 'Europe/Paris' };
  await measure('register a phone', () => chidi('POST', '/user/me/device', phone));
  const reminders = {
    type: 'rolling',
    recurrence: '0 21 * * *',
    notification: { subject: 'Diary', body: 'Now?' },
  };
  await measure('set the reminders of a study', () => ada('PATCH', `/survey/${survey}`, { reminders }));
  for (const work of deferred.splice(0)) await measure('wake and plan a study of 2', work);
  await measure('change the time of a user', () =>
    chidi('PATCH', '/user/me', { customRemindersTime: '21:00' }),
  );
  await measure('a sweep with nothing due', () => sweep(services));
  now = Date.parse('2027-03-01T20:00:00.000Z');
  await deliver(services, user.identifier);
  now = Date.parse('2027-03-02T20:00:00.000Z');
  await measure('deliver a reminder, plan the next', () => deliver(services, user.identifier));
  await ada('PATCH', `/survey/${survey}`, { reminders: { ...reminders, followUps: { every: 30, max: 2 } } });
  await planAll(services, [user.identifier]);
  for (const work of deferred.splice(0)) await work();
  now = Date.parse('2027-03-03T20:00:00.000Z');
  await deliver(services, user.identifier);
  now = Date.parse('2027-03-03T20:30:00.000Z');
  await measure('deliver a nudge', () => deliver(services, user.identifier));
}

function report() {
  console.table(Object.fromEntries(table.map(({ operation, ...cost }) => [operation, cost])));
  const delivery = table.find((row) => row.operation.startsWith('deliver'));
  if (!delivery) return;
  const dollars = {
    'D1 rows written': delivery.rowsWritten * prices.rowsWritten,
    'D1 rows read': delivery.rowsRead * prices.rowsRead,
    'Durable Object: the alarm that rings': prices.objectRequests,
    // Each round trip goes through one.
    'Durable Object: calls of a delivery object': delivery.roundTrips * prices.objectRequests,
    'Durable Object: setting the next': prices.setAlarms,
    'Durable Object: time awake': durationDollars,
    'SNS publish': delivery.pushes * prices.pushes,
  };
  console.log('A million reminders, in dollars:');
  // Up to a cent: the rows read of a delivery differ by one or two from run to run.
  const cents = Object.entries(dollars).map(
    ([what, price]) => [what, Math.ceil(price * 100 - 1e-6)] as const,
  );
  const total = cents.reduce((sum, [, price]) => sum + price, 0);
  for (const [what, price] of [...cents, ['in all', total] as const])
    console.log(`  ${(price / 100).toFixed(2).padStart(6)}  ${what}`);
}

try {
  await run();
  report();
} finally {
  await dispose();
}
