import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { holdAlarms } from './alarms.ts';
import { startClock, startOfTests } from './clock.ts';
import { takeRefusals } from './d1-guard.ts';
import { dropTables } from './tables.ts';
import { settleZones } from './zones.ts';

startClock();

beforeAll(async () => {
  // The file before ran in the same runtime: its database, its alarms and its queue are emptied.
  await reset();
  await dropTables();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
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
