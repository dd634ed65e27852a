import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { named, query, textOf } from '../../src/db/query.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';

const names = sqliteTable('name', { id: integer().primaryKey(), name: text().notNull(), more: text() });

interface Row {
  id: number;
  name: string;
  more: string[] | null;
}

async function open() {
  const { db } = await openSqlite(':memory:');
  await db.run(sql`create table name (id integer primary key, name text not null, more text)`);
  await db.insert(names).values([
    { id: 1, name: 'Ada', more: '["a"]' },
    { id: 2, name: 'Bruno' },
  ]);
  return db;
}

const idOrName = `select id, name, more from name where id = :id or name = :name or id = :id + 1 order by id limit :limit`;

test('a query is awaited or put in a batch beside statements of drizzle', async () => {
  const db = await open();
  const both = query<Row>(db, idOrName, { id: 1, name: 'Chidi', limit: 10 }, { more: JSON.parse });
  const expected = [
    { id: 1, name: 'Ada', more: ['a'] },
    { id: 2, name: 'Bruno', more: null },
  ];
  expect(await both).toEqual(expected);
  const [inserted, found] = await db.batch([
    db.insert(names).values({ id: 3, name: 'Chidi' }).returning({ id: names.id }),
    query<{ n: number }>(db, 'select count(*) as n from name', {}),
  ]);
  expect([inserted, found]).toEqual([[{ id: 3 }], [{ n: 3 }]]);
});

test('each value is bound once, by its name', async () => {
  const db = await open();
  const { sql: text, values } = query(db, idOrName, { id: 1, name: 'x', limit: 5 });
  expect(text).toMatch(/id = \?1 or name = \?2 or id = \?1 \+ 1 order by id limit \?3$/);
  expect(values).toEqual([1, 'x', 5]);
});

test('a condition that drizzle shares is text for a query, unless it has a value', () => {
  const isNamed = (name: unknown) => sql`${names.name} = ${name}`;
  expect(textOf(isNamed(named('name')))).toBe('"name"."name" = :name');
  expect(() => textOf(isNamed('Ada'))).toThrow('A query names its parameters');
});
