import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { addMembers } from './support/bulk.ts';
import { days, later, minutes } from './support/clock.ts';
import { countedSweeps, isDeleted, removeStudy, seedHistory } from './support/purges.ts';
import { seedResponses } from './support/seeds.ts';
import { sleepStudy } from './support/world.ts';

const perDay = 24 * 60;

test('100,000 responses and a year of notifications of 500 people are gone within a day of sweeps', async () => {
  const study = await sleepStudy();
  await addMembers(study, 500);
  for (let n = 0; n < 5; n++) await seedResponses(study, 20_000);
  await seedHistory(study, 365);
  await removeStudy(study);
  later(31 * days);
  const { most, once } = countedSweeps();
  let sweeps = 0;
  for (; sweeps < perDay && (await isDeleted(study.id)); sweeps++) {
    await once();
    later(minutes);
  }
  expect(await isDeleted(study.id)).toBeNull();
  for (const table of ['response', 'response_revision', 'scheduled_notification', 'activity'])
    expect(await env.DB.prepare(`select count(*) as n from ${table}`).first('n'), table).toBe(0);
  expect(most.rowsWritten).toBeLessThanOrEqual(8_000);
  expect(most.rowsRead).toBeLessThanOrEqual(60_000);
});
