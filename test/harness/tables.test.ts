import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { addMembers, addPhones } from '../support/worker/bulk.ts';
import { dropTables, dumpTables, restoreTables } from '../support/worker/tables.ts';
import { sleepStudy } from '../support/worker/world.ts';

test('tables larger than one value are restored, and are gone before a file begins', async () => {
  const empty = await dumpTables();
  const study = await sleepStudy();
  await addMembers(study, 10_000);
  await addPhones(study);
  const before = await dumpTables();
  await env.DB.batch([env.DB.prepare('delete from device'), env.DB.prepare("update user set name = 'Eve'")]);
  await restoreTables(before);
  const after = await dumpTables();
  for (const name of Object.keys(before)) expect(after[name]?.length, name).toBe(before[name]?.length);
  expect([after.device?.at(-1), after.user?.at(-1)]).toEqual([before.device?.at(-1), before.user?.at(-1)]);

  await dropTables();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const { job_run: _, ...rest } = await dumpTables();
  expect(rest).toMatchObject(Object.fromEntries(Object.keys(rest).map((name) => [name, empty[name]])));
});
