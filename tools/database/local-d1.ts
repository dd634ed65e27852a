import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import {
  appliedTable,
  type Migration,
  readMigrations,
  refuseUnknown,
} from '../../src/platform/server/migrations.ts';

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
    await migrateD1(database, undefined, folder);
    return { database: database as unknown as D1Database, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Triggers hold semicolons, and D1 takes one statement at a time. */
export const statementsOf = ({ sql }: Migration): string[] => sql.split('--> statement-breakpoint');

/**
 * Applies the migrations that a local D1 lacks, each in a transaction of its own. wrangler starts a runtime for each.
 * @throws StartError when another version wrote the database
 * @throws Error that names a migration that failed; those before it stay
 */
export async function migrateD1(
  db: Pick<D1Database, 'prepare' | 'batch'>,
  migrations?: readonly Migration[],
  place = 'memory',
): Promise<void> {
  await db.prepare(appliedTable).run();
  const { results } = await db.prepare('select name from d1_migrations').all<{ name: string }>();
  const applied = results.map(({ name }) => name);
  const known = migrations ?? (await readMigrations());
  refuseUnknown(applied, known, place);
  for (const migration of known) {
    const { name } = migration;
    if (applied.includes(name)) continue;
    const statements = statementsOf(migration).map((statement) => db.prepare(statement));
    const noted = db.prepare('insert into d1_migrations (name) values (?)').bind(name);
    try {
      await db.batch([...statements, noted]);
    } catch (cause) {
      const reason = (cause as Error).message.replace(/^D1_ERROR: /, '');
      throw new Error(`The migration migrations/${name} failed: ${reason}`, { cause });
    }
  }
}
