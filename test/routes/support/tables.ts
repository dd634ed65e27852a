import { env } from 'cloudflare:workers';

export type Tables = Record<string, Record<string, unknown>[]>;

async function tableNames(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name <> 'd1_migrations' order by name",
  ).all<{ name: string }>();
  return results.map((row) => row.name);
}

/** Every row of every table. */
export async function dumpTables(): Promise<Tables> {
  const names = await tableNames();
  const found = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`select * from "${name}"`)),
  );
  return Object.fromEntries(names.map((name, n) => [name, found[n]?.results ?? []]));
}

const keptByTriggers = [
  'investigation',
  'member_attention',
  'participant_compliance',
  'silent_participant',
  'survey_compliance',
];
const isKept = (table: string) => keptByTriggers.includes(table);

/** Makes the tables what they were at the dump. */
export async function restoreTables(tables: Tables): Promise<void> {
  // What triggers keep comes last, since they count what comes and goes.
  const keptLast = Object.entries(tables).toSorted(([a], [b]) => Number(isKept(a)) - Number(isKept(b)));
  const statements = keptLast.flatMap(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`).join(', ');
    return [
      env.DB.prepare(`delete from "${name}"`),
      ...(columns.length > 0
        ? [
            env.DB.prepare(
              `insert into "${name}" ("${columns.join('", "')}") select ${values} from json_each(?)`,
            ).bind(JSON.stringify(rows)),
          ]
        : []),
    ];
  });
  // Triggers keep what is in a frozen study as it is.
  await env.DB.batch([env.DB.prepare('update investigation set frozen_at = null'), ...statements]);
}
