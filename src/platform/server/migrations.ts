import { readdir, readFile } from 'node:fs/promises';
import type { SqliteClient } from './sqlite-client.ts';
import { StartError } from './start-error.ts';

/** A file of `migrations/`, by its name: they are applied in the order of their names. */
export interface Migration {
  name: string;
  sql: string;
}

const folder = new URL('../../../migrations/', import.meta.url);

/** The migrations that come with this program. */
export async function readMigrations(from: URL = folder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(new URL(name, from), 'utf8') })));
}

/** The applied migrations, in wrangler's table. */
export const appliedTable = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`;

/**
 * Applies missing migrations, each in a transaction of its own, and returns their names. The table that lists them is the
 * same as on D1, so that a database exported from there works here.
 * @param place the file or folder of the database, for messages
 * @throws StartError if another program wrote the database, or a migration fails
 */
export async function migrate(
  client: SqliteClient,
  migrations?: readonly Migration[],
  place = 'memory',
): Promise<string[]> {
  const known = migrations ?? (await readMigrations());
  await client.execute(appliedTable);
  const rows = await client.query('select name from d1_migrations order by id');
  const applied = rows.map(({ name }) => String(name));
  refuseUnknown(applied, known, place);
  const missing = known.filter(({ name }) => !applied.includes(name));
  for (const migration of missing) await apply(client, migration);
  return missing.map(({ name }) => name);
}

/** The first migration of versions before 1.0. */
const beforeOne = '0000_init.sql';

/** @throws StartError if a version before 1.0 or a newer version wrote the database */
export function refuseUnknown(applied: readonly string[], known: readonly Migration[], place: string): void {
  const unknown = applied.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.includes(beforeOne))
    throw new StartError(
      `The database in ${place} is of Fieldbell 0.1.0, which this version does not read: delete it, or choose another place.`,
    );
  if (unknown.length > 0)
    throw new StartError(
      `The database was written by a newer version of Fieldbell: this one does not know its ${unknown.join(', ')}. ` +
        'Nothing was changed. Start that version, or restore a backup that was made before the upgrade.',
    );
}

/**
 * Triggers contain semicolons, so SQLite itself splits the text. The client rolls back the transaction that an error
 * leaves open.
 */
async function apply(client: SqliteClient, { name, sql }: Migration) {
  const noted = `insert into d1_migrations (name) values ('${name.replaceAll("'", "''")}');`;
  try {
    await client.executeMultiple(`begin immediate;\n${sql}\n;\n${noted}\ncommit;`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The migration ${name} failed and was undone: ${reason}`, { cause });
  }
}
