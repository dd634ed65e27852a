import { link, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { users } from '../../src/people/schema.ts';
import { backUp } from '../../src/platform/server/backup.ts';
import { lockDatabase } from '../../src/platform/server/file-lock.ts';
import { migrate, readMigrations } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbell-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const ada = { id: 'a', name: 'Ada', createdAt: 1 };

test('a file is opened with a write-ahead log, full synchronisation, a busy timeout and foreign keys', async () => {
  const { client, close } = await openSqlite(path('settings.db'));
  const pragma = async (name: string) => (await client.execute(`pragma ${name}`)).rows[0]?.[0];
  expect(await pragma('journal_mode')).toBe('wal');
  expect(await pragma('synchronous')).toBe(2);
  expect(await pragma('busy_timeout')).toBe(500);
  expect(await pragma('foreign_keys')).toBe(1);
  close();
});

test('a batch is one transaction', async () => {
  const { db, client } = await openSqlite(':memory:');
  await migrate(client);
  await expect(db.batch([db.insert(users).values(ada), db.insert(users).values(ada)])).rejects.toThrow();
  expect(await db.select().from(users)).toEqual([]);
});

test('a long batch writes on the way, and leaves the settings as they were, done or undone', async () => {
  const { client, close } = await openSqlite(path('long.db'));
  const settings = async () =>
    Promise.all(['cache_size', 'wal_autocheckpoint'].map((name) => client.query(`pragma ${name}`)));
  const before = await settings();
  await client.execute('create table night (n integer not null)');
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
  const insert = (n: number | null) => ({ sql: 'insert into night values (?)', values: [n] });
  await client.batch([insert(1), insert(2)]);
  await expect(client.batch([insert(3), insert(null)])).rejects.toThrow('NOT NULL');
  clock.mockRestore();
  const shrunk = executed.mock.calls.filter(([text]) => text.startsWith('pragma cache_size = -8192'));
  expect(shrunk).toHaveLength(2);
  executed.mockRestore();
  expect(await settings()).toEqual(before);
  expect(await client.query('select n from night')).toEqual([{ n: 1 }, { n: 2 }]);
  close();
});

test('a statement whose limit is bound is compiled once', async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const { db, client } = await openSqlite(':memory:');
  await migrate(client);
  let compiled = 0;
  (prepare.mock.contexts[0] as DatabaseSync).setAuthorizer(() => {
    compiled += 1;
    return constants.SQLITE_OK;
  });
  const select = (limit: number) => db.select().from(users).limit(limit);
  await select(1);
  const once = compiled;
  await select(2);
  expect(once).toBeGreaterThan(0);
  expect(compiled).toBe(once);
});

test('migrations are applied in order, once, and known again', async () => {
  const { client } = await openSqlite(':memory:');
  const names = (await readMigrations()).map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(await migrate(client)).toEqual(names);
  expect(await migrate(client)).toEqual([]);
});

test('a migration that fails leaves nothing of itself behind', async () => {
  const { client } = await openSqlite(':memory:');
  const first = { name: '0000_a.sql', sql: 'create table a (id text);' };
  const broken = { name: '0001_b.sql', sql: 'create table b (id text);\ninsert into nothing values (1);' };
  await expect(migrate(client, [first, broken])).rejects.toThrow(
    /0001_b\.sql failed and was undone: .*nothing/,
  );
  const rows = await client.query("select name from sqlite_master where name in ('a', 'b')");
  expect(rows).toEqual([{ name: 'a' }]);
  expect(await migrate(client, [first, { ...broken, sql: 'create table b (id text)' }])).toEqual([
    '0001_b.sql',
  ]);
});

test('a database of a newer version is refused in clear words and left alone', async () => {
  const { client } = await openSqlite(':memory:');
  const known = { name: '0000_a.sql', sql: 'create table a (id text);' };
  await migrate(client, [known, { name: '0001_later.sql', sql: 'create table later (id text);' }]);
  await expect(migrate(client, [known])).rejects.toThrow(
    /written by a newer version of Fieldbell.*0001_later\.sql/,
  );
});

test('a database of 0.1.0 is refused in one line that names its place', async () => {
  const { client } = await openSqlite(':memory:');
  await migrate(client, [{ name: '0000_init.sql', sql: 'create table a (id text);' }]);
  await expect(migrate(client, undefined, '/data/study.db')).rejects.toThrow(
    /^The database in \/data\/study\.db is of Fieldbell 0\.1\.0, .*delete it[^\n]*$/,
  );
});

test('a file has one server at a time, and the lock goes with its holder', async () => {
  const file = path('locked.db');
  const first = await lockDatabase(file);
  await expect(lockDatabase(file)).rejects.toThrow(/Another process serves/);
  first.release();
  (await lockDatabase(file)).release();
});

test('a symbolic link to a file that is served is refused, and so is a file with two names', async () => {
  const [file, second] = [path('linked.db'), path('second.db')];
  await symlink('linked.db', path('symbolic.db'));
  const first = await lockDatabase(path('symbolic.db'));
  for (const name of ['linked.db', 'symbolic.db'])
    await expect(lockDatabase(path(name))).rejects.toThrow(/Another process serves/);
  first.release();
  (await lockDatabase(file)).release();
  await link(file, second);
  for (const name of [file, second]) await expect(lockDatabase(name)).rejects.toThrow(/has 2 names/);
});

test('a backup holds what was committed, while writing goes on, and replaces no file', async () => {
  const { db, client, close } = await openSqlite(path('live.db'));
  await migrate(client);
  await db.insert(users).values(ada);
  const target = join(folder, 'copy.db');
  await Promise.all([backUp(join(folder, 'live.db'), target), db.insert(users).values({ ...ada, id: 'b' })]);
  await db.insert(users).values({ ...ada, id: 'c' });
  await expect(backUp(join(folder, 'live.db'), target)).rejects.toThrow(/exists/);
  await expect(backUp(join(folder, 'no.db'), join(folder, 'x.db'))).rejects.toThrow(/no database/);
  close();
  const copy = await openSqlite(target);
  expect(await migrate(copy.client)).toEqual([]);
  const ids = (await copy.db.select({ id: users.id }).from(users)).map(({ id }) => id);
  expect(ids).toContain('a');
  expect(ids).not.toContain('c');
  copy.close();
});

test('a file that another process has locked is waited for once, and then no more until a write succeeds', async () => {
  const file = path('locked.db');
  const { db, client, canWrite, close } = await openSqlite(file);
  await migrate(client);
  const other = new DatabaseSync(file);
  const write = (id: string) => db.insert(users).values({ ...ada, id });
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work().catch(() => {});
    return performance.now() - began;
  };
  expect(canWrite()).toBe(true);
  other.exec('begin immediate');
  await expect(write('a')).rejects.toThrow();
  expect(canWrite()).toBe(false);
  expect(
    await timed(async () => {
      for (let n = 0; n < 50; n++) await expect(write('a')).rejects.toThrow();
    }),
    'fifty times the timeout is 25 s',
  ).toBeLessThan(5_000);
  expect(await db.select().from(users), 'reads go on').toEqual([]);
  other.exec('rollback');
  await write('a');
  expect(canWrite()).toBe(true);
  expect((await client.execute('pragma busy_timeout')).rows).toEqual([[500]]);
  other.close();
  close();
});

test('while a long batch is under way others read what was before it, and write after it', async () => {
  const { db, client, close } = await openSqlite(path('long.db'));
  await migrate(client);
  const slow = {
    sql: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) from n',
    values: [],
  };
  const insert = (id: string) => ({
    sql: "insert into user (id, name, created_at) values (?, 'Ada', 1)",
    values: [id],
  });
  const order: string[] = [];
  const long = client.batch([insert('a'), slow, slow, insert('b')]).then(() => order.push('long'));
  const written = db
    .insert(users)
    .values({ ...ada, id: 'c' })
    .then(() => order.push('write'));
  const named = 'with person as (select id from user)';
  const copied = client.execute(
    `${named} insert into user (id, name, created_at) select id || id, 'Ada', 1 from person where id in ('a', 'b')`,
  );
  expect(await db.select().from(users)).toEqual([]);
  expect((await client.execute(`${named} select count(*) from person`)).rows).toEqual([[0]]);
  expect((await client.batch([{ sql: `${named} select * from person`, values: [] }]))[0]?.rows).toEqual([]);
  expect(order).toEqual([]);
  await Promise.all([long, written, copied]);
  expect(order).toEqual(['long', 'write']);
  expect((await client.execute('delete from user where length(id) > 1 returning id')).rows).toEqual([
    ['aa'],
    ['bb'],
  ]);
  expect(await db.select({ id: users.id }).from(users)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  const failing = client.batch([insert('d'), slow, slow, insert('a')]);
  const after = client.execute(insert('e'));
  await expect(failing).rejects.toThrow();
  await after;
  expect((await db.select({ id: users.id }).from(users)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'e']);
  close();
});
