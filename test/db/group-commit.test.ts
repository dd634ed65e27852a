import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, test, vi } from 'vitest';
import { groupCommit } from '../../src/db/group-commit.ts';
import type { JoinOptions } from '../../src/db/join-batches.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';

const names = sqliteTable('name', { id: integer().primaryKey(), name: text().notNull() });

async function open(options: JoinOptions) {
  const { db } = await openSqlite(':memory:');
  await db.run(sql`create table name (id integer primary key, name text not null)`);
  const transactions = vi.spyOn(db, 'batch');
  const joined = groupCommit(db, options);
  const insert = (id: number, name: string | null) => {
    const values = { id, name: sql`${name}` };
    return joined.batch([joined.insert(names).values(values).returning(), joined.select().from(names)]);
  };
  return { db, joined, insert, sizes: () => transactions.mock.calls.map(([items]) => items.length) };
}

/** Long enough that only a full batch leaves before it. */
const never = 3_600_000;

test('batches of one moment are one transaction, and each caller gets its own results', async () => {
  const { insert, sizes } = await open({ maxWaitMs: 0 });
  const results = await Promise.all([insert(1, 'Ada'), insert(2, 'Bruno'), insert(3, 'Chidi')]);
  expect(results.map(([[inserted]]) => inserted?.name)).toEqual(['Ada', 'Bruno', 'Chidi']);
  expect(results.map(([, all]) => all.length)).toEqual([1, 2, 3]);
  expect(sizes()).toEqual([6]);
});

test('a batch that is full does not wait', async () => {
  const { insert, sizes } = await open({ maxStatements: 4, maxWaitMs: never });
  await Promise.all([1, 2, 3, 4].map((id) => insert(id, 'Ada')));
  expect(sizes()).toEqual([4, 4]);
});

test('a batch is bounded in bytes, and a larger one of a single caller goes by itself', async () => {
  const { insert, sizes } = await open({ maxBytes: 2_000, maxWaitMs: never });
  await Promise.all([insert(1, 'Ada'), insert(2, 'B'.repeat(5_000)), insert(3, 'C'.repeat(2_000))]);
  expect(sizes()).toEqual([2, 2, 2]);
});

test("one caller's fault is not another's", async () => {
  const { insert, db, sizes } = await open({ maxStatements: 6, maxWaitMs: never });
  const results = await Promise.allSettled([insert(1, 'Ada'), insert(2, null), insert(3, 'Chidi')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await db.select().from(names)).toEqual([
    { id: 1, name: 'Ada' },
    { id: 3, name: 'Chidi' },
  ]);
  expect(sizes()).toEqual([6, 2, 2, 2]);
});

test('a later batch is another transaction', async () => {
  const { insert, sizes } = await open({ maxWaitMs: 0 });
  await insert(1, 'Ada');
  await insert(2, 'Bruno');
  expect(sizes()).toEqual([2, 2]);
});

test('reads are not joined and do not wait, and a batch that also writes does', async () => {
  const { joined, insert, sizes } = await open({ maxStatements: 2, maxWaitMs: never });
  expect(await joined.batch([joined.select().from(names)])).toEqual([[]]);
  await insert(1, 'Ada');
  expect(await joined.batch([joined.select().from(names)])).toEqual([[{ id: 1, name: 'Ada' }]]);
  expect(sizes()).toEqual([1, 2, 1]);
});

describe('everything but batches', () => {
  test('goes to the database as before', async () => {
    const { joined, sizes } = await open({ maxWaitMs: never });
    await joined.insert(names).values({ id: 1, name: 'Ada' });
    expect(await joined.select().from(names)).toEqual([{ id: 1, name: 'Ada' }]);
    expect(sizes()).toEqual([]);
  });
});
