import { expect, test } from 'vitest';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { recountRandomly, setUpRecount } from './support/recount.ts';

test.each([1, 2, 3])('in a file, compliance is what a recount says, whatever happens (%d)', async (n) => {
  const { db, client, close } = await openSqlite(':memory:');
  await migrate(client);
  await setUpRecount(db);
  expect(await recountRandomly(db, new Random(seed + n), 1_500)).toEqual([]);
  close();
});
