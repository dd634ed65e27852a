import { expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../../src/platform/server/migrations.ts';
import { migrateD1, openLocalD1 } from '../../tools/database/local-d1.ts';

test('a state folder of 0.1.0 is refused in one line that names it', async () => {
  const { database, dispose } = await openLocalD1();
  onTestFinished(dispose);
  await database.prepare("insert into d1_migrations (name) values ('0000_init.sql')").run();
  await expect(migrateD1(database, undefined, '.wrangler/state')).rejects.toThrow(
    /^The database in \.wrangler\/state is of Fieldbell 0\.1\.0, .*delete it[^\n]*$/,
  );
});

test('a broken migration is named with the reason, undone whole, and those before it stay', async () => {
  const { database, dispose } = await openLocalD1();
  onTestFinished(dispose);
  const ours = await readMigrations();
  const added = [
    { name: '9998_good.sql', sql: 'create table good (n integer)' },
    { name: '9999_bad.sql', sql: 'create table half (n integer)--> statement-breakpoint\ncreate tablex bad' },
  ];
  await expect(migrateD1(database, [...ours, ...added])).rejects.toThrow(
    'The migration migrations/9999_bad.sql failed: near "tablex": syntax error at offset 8: SQLITE_ERROR',
  );
  const namesIn = async (sql: string) => {
    const { results } = await database.prepare(sql).all<{ name: string }>();
    return results.map(({ name }) => name);
  };
  const applied = [...ours.map(({ name }) => name), '9998_good.sql'];
  expect(await namesIn('select name from d1_migrations order by id')).toEqual(applied);
  expect(await namesIn("select name from sqlite_schema where name in ('good', 'half')")).toEqual(['good']);

  const [good] = added;
  await migrateD1(database, [
    ...ours,
    ...(good ? [good] : []),
    { name: '9999_bad.sql', sql: 'create table mended (n integer)' },
  ]);
  expect(await namesIn('select name from d1_migrations order by id')).toEqual([...applied, '9999_bad.sql']);
});
