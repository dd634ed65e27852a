import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { deletePastBefore, tables as ofReminders } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days, later, minutes } from '../support/worker/clock.ts';
import { carryOut } from '../support/worker/reminder-tables.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { countedSweeps, isDeleted, removeStudy, seedHistory } from './support/purges.ts';

const perDay = 24 * 60;
/** As many as show what one removes, and costs, of a study of this size. */
const measured = 20;

const tables = ['response', 'response_revision', ofReminders.past];
const sizes = async () =>
  (
    await env.DB.batch<{ n: number }>(
      tables.map((name) => env.DB.prepare(`select count(*) as n from ${name}`)),
    )
  ).map(({ results: [row] }) => row?.n ?? 0);

test('100,000 responses and a year of notifications of 500 people are gone within a day of sweeps', async () => {
  const study = await sleepStudy();
  await addMembers(study, 500);
  for (let n = 0; n < 5; n++) await seedResponses(study, 20_000);
  await withoutTriggers(ofReminders.past, () => seedHistory(study, 365));
  await removeStudy(study);
  later(31 * days);
  const { most, once } = countedSweeps();
  const sweepOften = async (times: number) => {
    let sweeps = 0;
    for (; sweeps < times && (await isDeleted(study.id)); sweeps++) {
      await once();
      later(minutes);
    }
    return sweeps;
  };

  const before = await sizes();
  expect(before).toEqual([100_000, 100_000, 504 * 365]);
  expect(await sweepOften(measured)).toBe(measured);
  const left = await sizes();
  const needed = tables.map((_, n) => (measured * (before[n] ?? 0)) / ((before[n] ?? 0) - (left[n] ?? 0)));
  await removeMost(study);
  const rest = await sweepOften(perDay);
  expect(await isDeleted(study.id)).toBeNull();
  for (const [n, table] of tables.entries()) expect((needed[n] ?? perDay) + rest, table).toBeLessThan(perDay);
  expect(await sizes()).toEqual([0, 0, 0]);
  expect(await env.DB.prepare('select count(*) as n from activity').first('n')).toBe(0);
  expect(most.rowsWritten).toBeLessThanOrEqual(8_000);
  expect(most.rowsRead).toBeLessThanOrEqual(60_000);
});

/** Replaces the sweeps of the hours between. */
async function removeMost({ id, survey }: Study) {
  const gone = `select id from response where investigation_id = '${id}' limit 98000`;
  await env.DB.batch(
    [
      `delete from response_revision where response_id in (${gone})`,
      `delete from response where id in (${gone})`,
    ].map((statement) => env.DB.prepare(statement)),
  );
  await carryOut(deletePastBefore('2027-02-10', survey));
}

/** Counting what was settled takes longer than all sweeps do, and leaves a few rows. */
async function withoutTriggers(table: string, work: () => Promise<void>) {
  const { results } = await env.DB.prepare(
    "select name, sql from sqlite_master where type = 'trigger' and tbl_name = ?",
  )
    .bind(table)
    .all<{ name: string; sql: string }>();
  await env.DB.batch(results.map(({ name }) => env.DB.prepare(`drop trigger ${name}`)));
  await work();
  await env.DB.batch(results.map(({ sql }) => env.DB.prepare(sql)));
}
