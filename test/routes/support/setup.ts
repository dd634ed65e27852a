import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { holdAlarms } from './alarms.ts';
import { startClock, startOfTests } from './clock.ts';
import { checkAnswers } from './contract.ts';
import { takeRefusals } from './d1-guard.ts';
import { dropTables } from './tables.ts';
import { settleZones } from './zones.ts';

startClock();

beforeAll(async () => {
  // The file before ran in the same runtime: its database, its alarms and its queue are emptied.
  await reset();
  await dropTables();
  // In one batch: `applyD1Migrations` makes two of each.
  const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries);
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  await settleZones();
  await holdAlarms();
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: startOfTests });
});

afterEach(() => {
  vi.useRealTimers();
  // Jobs log their errors and go on.
  for (const refusal of takeRefusals()) throw refusal;
});
afterEach(checkAnswers);
afterAll(checkAnswers);
