import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { holdAlarms } from './alarms.ts';
import { startClock, startOfTests } from './clock.ts';
import { checkAnswers } from './contract.ts';
import { takeRefusals } from './d1-guard.ts';
import { endLogLines, keepLogLines } from './log-lines.ts';
import { checkPlans } from './plans.ts';
import { dropTables } from './tables.ts';
import { settleZones } from './zones.ts';

startClock();
keepLogLines();

beforeAll(async () => {
  // The file before ran in the same runtime: its database and its alarms are emptied.
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

afterEach(async ({ task }) => {
  vi.useRealTimers();
  const [refusal] = takeRefusals();
  let isFine = false;
  try {
    await checkAnswers();
    // Jobs log their errors and go on.
    if (refusal) throw refusal;
    isFine = task.result?.state !== 'fail';
  } finally {
    endLogLines({ show: !isFine });
  }
});
afterAll(checkAnswers);
afterAll(checkPlans);
