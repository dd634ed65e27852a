import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { readMigrations } from '../../src/platform/server/migrations.ts';

/** A local D1 with the tables, in memory unless a folder is given. `id`: the database's, as in `wrangler.toml`. */
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

/** Records what it applies as `dev/workerd-main.ts` does, which then applies nothing again. */
async function migrate(database: D1Database) {
  await database.exec('create table if not exists applied (name text primary key)');
  for (const { name, sql } of await readMigrations()) {
    const statements = sql.split('--> statement-breakpoint').map((statement) => database.prepare(statement));
    await database.batch([...statements, database.prepare('insert into applied values (?)').bind(name)]);
  }
}
