import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { readMigrations } from '../../src/platform/server/migrations.ts';

/** A migrated D1 of its own; in memory, unless a folder is given. `id` is that of `wrangler.toml`, or any. */
export async function openLocalD1({ id = 'bench', folder }: { id?: string; folder?: string } = {}) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      modules: true,
      script: 'export default {}',
      d1Databases: { DB: id },
      cf: false,
      ...(folder !== undefined && { resourcePersistencePath: folder }),
    }),
  );
  const dispose = () => miniflare.dispose();
  try {
    const database = (await miniflare.getD1Database('DB')) as unknown as D1Database;
    await migrate(database);
    return { database, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** What is applied is noted as `test/conformance/support/workerd-main.ts` does, so that it begins where this ends. */
async function migrate(database: D1Database) {
  await database.exec('create table if not exists applied (name text primary key)');
  for (const { name, sql } of await readMigrations()) {
    const statements = sql.split('--> statement-breakpoint').map((statement) => database.prepare(statement));
    await database.batch([...statements, database.prepare('insert into applied values (?)').bind(name)]);
  }
}
