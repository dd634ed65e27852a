import { expect, test } from 'vitest';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { checkStatement } from '../support/d1-limits.ts';

test('each comparison with a constant in a partial index is refused with a parameter', async () => {
  const { client } = await openSqlite(':memory:');
  await migrate(client);
  const indexes = await client.query<{ sql: string }>(
    "select sql from sqlite_schema where type = 'index' and sql like '% where %'",
  );
  const comparisons = indexes.flatMap(
    ({ sql }) => sql.match(/\w+ (?:=|<>|<|>|is|is not) (?:\d+|'\w+')$/gi) ?? [],
  );
  expect(comparisons.length).toBeGreaterThan(0);
  for (const comparison of comparisons)
    expect(() =>
      checkStatement(`select 1 from t where ${comparison.replace(/(?:\d+|'\w+')$/, '?')}`, []),
    ).toThrow('compiles it again');
});
