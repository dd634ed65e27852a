import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { readMigrations } from '../src/platform/server/migrations.ts';

/** A local D1 with the tables, in memory unless a folder is given. `id`: the database's, as in `wrangler.toml`. */
export async function openLocalD1({ id = 'local', folder }: { id?: string; folder?: string } = {}) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      d1Databases: { DB: id },
      cf: false,
      ...(folder !== undefined && { resourcePersistencePath: folder }),
    }),
  );
  const dispose = () => miniflare.dispose();
  try {
    const database = await miniflare.getD1Database('DB');
    await migrateD1(database);
    return { database: database as unknown as D1Database, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** As wrangler makes it, which may go on from here. */
const table = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`;

/**
 * Applies the migrations that a local D1 lacks, each in a transaction of its own. wrangler starts a runtime for each.
 * @throws Error that names the migration; those before it stay
 */
export async function migrateD1(
  db: Pick<D1Database, 'prepare' | 'batch'>,
  migrations?: Awaited<ReturnType<typeof readMigrations>>,
): Promise<void> {
  await db.prepare(table).run();
  const { results } = await db.prepare('select name from d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, sql } of migrations ?? (await readMigrations())) {
    if (applied.has(name)) continue;
    const statements = sql.split('--> statement-breakpoint').map((statement) => db.prepare(statement));
    const noted = db.prepare('insert into d1_migrations (name) values (?)').bind(name);
    try {
      await db.batch([...statements, noted]);
    } catch (cause) {
      const reason = (cause as Error).message.replace(/^D1_ERROR: /, '');
      throw new Error(`The migration migrations/${name} failed: ${reason}`, { cause });
    }
  }
}
