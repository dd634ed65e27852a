import { sql } from 'drizzle-orm';
import { integer, SQLiteSyncDialect, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { selectRow } from '../../src/db/select-row.ts';

const phones = sqliteTable('phone', {
  id: text().primaryKey(),
  enabled: integer({ mode: 'boolean' }).notNull(),
  tags: text({ mode: 'json' }).$type<string[]>().notNull(),
  seenAt: integer('seen_at'),
  owner: text().notNull(),
});

test('the values of a row stand in the order of the columns, encoded as each column encodes them', () => {
  const row = selectRow(phones, {
    owner: sql`upper(${'ada'})`,
    seenAt: null,
    tags: ['a', 'b'],
    enabled: true,
    id: phones.owner,
  });
  expect(new SQLiteSyncDialect().sqlToQuery(row)).toMatchObject({
    sql: 'select "phone"."owner", ?, ?, ?, upper(?)',
    params: [1, '["a","b"]', null, 'ada'],
  });
});
