import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { randomScenario } from '../../simulator/random.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { checkStatement } from '../support/d1-limits.ts';
import { outcomeOf } from './support.ts';

/** SQLite asks its authorizer about a statement whenever it compiles it. Returns those that are compiled when they run. */
function watchCompiling(): Set<string> {
  const again = new Set<string>();
  const watched = new WeakSet<DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  const { all } = StatementSync.prototype;
  let running = '';
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
    if (!watched.has(this))
      this.setAuthorizer(() => {
        if (running) again.add(running);
        return constants.SQLITE_OK;
      });
    watched.add(this);
    return prepare.call(this, sql);
  });
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
    // A pragma is compiled when it runs, always.
    running = this.sourceSQL.startsWith('pragma') ? '' : this.sourceSQL;
    try {
      return all.apply(this, values as never);
    } finally {
      running = '';
    }
  });
  return again;
}

test('no statement of a study is compiled a second time', async () => {
  const again = watchCompiling();
  for (const seed of [1, 2]) await outcomeOf(randomScenario(seed));
  vi.restoreAllMocks();
  expect([...again]).toEqual([]);
});

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
