import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openSimulatedDatabase } from '../../simulator/database.ts';
import { createFaults } from '../../simulator/faults.ts';
import { createWorld } from '../../simulator/world.ts';
import { query } from '../../src/db/query.ts';

const longCount = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000)
  select count(*) as n from n`;

test('a read while a batch takes long is one round trip', async () => {
  const world = createWorld(0);
  const faults = createFaults(
    world,
    () => [],
    () => 0,
  );
  const database = await openSimulatedDatabase(world, faults, () => false, { latencyMs: 10 });
  const started = Promise.all([
    database.db.batch([query(database.db, longCount, {}), query(database.db, longCount, {})]),
    database.db.run(sql`select 1`),
  ]);
  await world.run(1_000, []);
  await started;
  expect(database.counts.trips).toBe(2);
  database.close();
});
