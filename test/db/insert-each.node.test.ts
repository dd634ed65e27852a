import { drizzle } from 'drizzle-orm/d1';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { insertEach } from '../../src/db/insert-each.ts';
import { checkStatement } from '../support/d1-limits.ts';

const db = drizzle({} as never) as unknown as Database;
const letters = sqliteTable('letter', {
  id: text().primaryKey(),
  users: text({ mode: 'json' }).$type<string[]>().notNull(),
  at: integer().notNull(),
});
const letter = (name: string, n: number) => ({ id: `letter ${n}`, users: [name], at: n });

/** The rows of each statement; every one of them is what D1 takes. */
const rowsOf = (rows: ReturnType<typeof letter>[]) =>
  insertEach(db, letters, rows).map((statement) => {
    const { sql, params } = statement.toSQL();
    checkStatement(sql, params);
    const [list] = JSON.parse(`[${params[0]}]`);
    return typeof list[0] === 'string' ? 1 : list.length;
  });

test('small rows are inserted a thousand at a time', () => {
  expect(rowsOf(Array.from({ length: 2_500 }, (_, n) => letter('Ada', n)))).toEqual([1000, 1000, 500]);
  expect(rowsOf([letter('Ada', 1)])).toEqual([1]);
  expect(rowsOf([])).toEqual([]);
});

test('large rows are inserted so many at a time as a value of D1 holds, in bytes', () => {
  // 150,000 characters of three bytes each.
  const name = '名'.repeat(150_000);
  expect(rowsOf(Array.from({ length: 10 }, (_, n) => letter(name, n)))).toEqual([3, 3, 3, 1]);
});
