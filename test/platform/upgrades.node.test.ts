import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Migration, migrate, readMigrations } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import type { SqliteClient } from '../../src/platform/server/sqlite-client.ts';

/*
 * Every release upgrades a database from every 1.x, and the version before runs on beside it during a deployment. So each
 * later migration must leave what 1.0 wrote as it was, and let 1.0 write on, by the columns that it knows.
 */

/** SHA-256 of the first migration as 1.0.0 is released with it. From then on it stays, and changes are migrations of their own. */
const releasedFirst: string | null = 'e0ee76bf63b0f7d9817a64a65d518b05eb86ae632b57bc88e020ac08033fe87d';

const releasedBy = (version: string, sql: string) =>
  version.startsWith('0.') ? null : createHash('sha256').update(sql).digest('hex');

test('the first migration is what 1.0.0 was released with', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [first] = await readMigrations();
  expect(releasedBy(version, first?.sql ?? '')).toBe(releasedFirst);
});

interface Table {
  name: string;
  /** Those that an insert may name. */
  columns: { name: string; type: string }[];
}

/** The tables as the first migration makes them. */
async function tablesOf(client: SqliteClient): Promise<Table[]> {
  const rows = await client.query(
    `select t.name as "table", c.name, c.type from pragma_table_list t, pragma_table_xinfo(t.name) c
      where t.type = 'table' and t.name not like 'sqlite%' and t.name <> 'd1_migrations' and c.hidden = 0`,
  );
  const tables = Map.groupBy(rows, (row) => String(row.table));
  return [...tables]
    .map(([name, columns]) => ({
      name,
      columns: columns.map((column) => ({ name: String(column.name), type: String(column.type) })),
    }))
    .sort((a, b) => Number(isFeed(b)) - Number(isFeed(a)));
}

/** Its rows come first: triggers number the changes of other rows after the last one. */
const isFeed = ({ name }: Pick<Table, 'name'>) => name === 'change';

const quoted = ({ columns }: Table) => columns.map(({ name }) => `"${name}"`).join(', ');

/**
 * A row as 1.0 inserts it. Its texts are JSON, since some columns hold that; `n` makes it another one. No study is frozen, and no
 * notification is settled: triggers count those.
 */
function insertOf(table: Table, n: number): string {
  const values = table.columns.map(({ name, type }) => {
    if (name === 'frozen_at' || (name === 'state' && table.name === 'scheduled_notification')) return 'null';
    return type.toLowerCase() === 'text' ? `'[${n}]'` : String(n);
  });
  return `insert into "${table.name}" (${quoted(table)}) values (${values.join(', ')})`;
}

const rowsOf = (client: SqliteClient, table: Table) =>
  client.query(`select ${quoted(table)} from "${table.name}" order by 1, 2`);

/** A database of 1.0 with rows in every table, through these migrations, while a process of 1.0 writes on. */
async function upgrade(later: readonly Migration[]) {
  const { client, close } = await openSqlite(':memory:');
  const [first] = await readMigrations();
  if (!first) throw new Error('Expected a first migration');
  await migrate(client, [first]);
  const tables = await tablesOf(client);
  for (const table of tables) await client.query(insertOf(table, 1));
  const read = async () => {
    const rows: Record<string, unknown> = {};
    for (const table of tables) rows[table.name] = await rowsOf(client, table);
    return rows;
  };
  const before = await read();
  await migrate(client, [first, ...later]);
  const after = await read();
  for (const table of tables) await client.query(insertOf(table, 2));
  close();
  return { tables, before, after };
}

test('1.0 can be upgraded by every later migration, and writes on beside it', async () => {
  const [, ...later] = await readMigrations();
  const { tables, before, after } = await upgrade(later);
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) expect(before[name], name).not.toEqual([]);
  expect(after).toEqual(before);
});
