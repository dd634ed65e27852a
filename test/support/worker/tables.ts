import { env } from 'cloudflare:workers';
import { cut } from '../../../src/db/insert-each.ts';

export type Tables = Record<string, Record<string, unknown>[]>;

/** Drops whatever is there, also what another file left where the runtime has not deleted its storage. */
export async function dropTables(): Promise<void> {
  const { results } = await env.DB.prepare(
    "select type, name from sqlite_master where type <> 'index' and name not like 'sqlite%' and name not like '_cf%' order by type = 'table'",
  ).all<{ type: string; name: string }>();
  if (results.length > 0)
    await env.DB.batch(results.map(({ type, name }) => env.DB.prepare(`drop ${type} if exists "${name}"`)));
}

type Columns = { name: string; columns: string }[];
let known: Promise<Columns> | undefined;

/** Every table but those that a test has added, and its columns but those that SQLite computes. */
function readColumns(): Promise<Columns> {
  known ??= selectColumns();
  return known;
}

async function selectColumns() {
  const { results } = await env.DB.prepare(
    `select t.name, group_concat('"' || c.name || '"') as columns from sqlite_master t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite%' and t.name not like '_cf%' and t.name <> 'd1_migrations' and t.name not like 'test!_%' escape '!'
      group by t.name order by t.name`,
  ).all<{ name: string; columns: string }>();
  return results;
}

/** Every row of every table. */
export async function dumpTables(): Promise<Tables> {
  const tables = await readColumns();
  const found = await env.DB.batch<Record<string, unknown>>(
    tables.map(({ name, columns }) => env.DB.prepare(`select ${columns} from "${name}"`)),
  );
  return Object.fromEntries(tables.map(({ name }, n) => [name, found[n]?.results ?? []]));
}

const keptByTriggers: string[] = [
  'member',
  'user',
  'investigation',
  'participant_compliance',
  'survey_compliance',
  'change',
  'webhook',
];

/** Makes the tables what they were at the dump. `current`, their present rows, spares those that are the same. */
export async function restoreTables(tables: Tables, current: Tables = {}): Promise<void> {
  const isOther = ([name, rows]: [string, unknown]) =>
    keptByTriggers.includes(name) || JSON.stringify(rows) !== JSON.stringify(current[name]);
  // Tables that triggers maintain come last, since they count the changes of the others, and of those before them.
  const keptLast = Object.entries(tables)
    .filter(isOther)
    .toSorted(([a], [b]) => keptByTriggers.indexOf(a) - keptByTriggers.indexOf(b));
  const statements = keptLast.flatMap(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`).join(', ');
    const insert = `insert into "${name}" ("${columns.join('", "')}") select ${values} from json_each(?)`;
    return [
      env.DB.prepare(`delete from "${name}"`),
      ...cut(rows).map((part) => env.DB.prepare(insert).bind(JSON.stringify(part))),
    ];
  });
  // Triggers keep what is in a frozen study as it is.
  await env.DB.batch([env.DB.prepare('update investigation set frozen_at = null'), ...statements]);
}
