import type { SqliteClient } from '../../src/platform/server/sqlite-client.ts';

/** Makes the database refuse writes as SQLite itself does; resolves with a function that ends this. */
type Refusal = (client: SqliteClient) => Promise<() => Promise<void>>;

/** As on a full disk: the file may not grow, and has no free page. */
const fill: Refusal = async (client) => {
  const limit = async (pages: number) => void (await client.execute(`pragma max_page_count = ${pages}`));
  await client.execute('create table if not exists filler (content blob)');
  await limit(Number((await client.execute('pragma page_count')).rows[0]?.[0]));
  for (const bytes of [30_000, 3_000, 300, 1]) {
    const insert = () => client.execute(`insert into filler values (zeroblob(${bytes}))`);
    while (await insert().then(Boolean, () => false));
  }
  return () => limit(1_000_000);
};

/** As on a file system that was mounted anew to be read only. */
export const closeForWriting: Refusal = async (client) => {
  await client.execute('pragma query_only = on');
  return async () => void (await client.execute('pragma query_only = off'));
};

export const refusals: readonly (readonly [name: string, refuse: Refusal])[] = [
  ['a full disk', fill],
  ['a file that is read only', closeForWriting],
];
