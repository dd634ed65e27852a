import { env } from 'cloudflare:workers';

/** Every row of every table that requests change, as JSON, by table: without the days on which staff made some. */
export type Dump = Record<string, Set<string>>;

export async function dump(): Promise<Dump> {
  const tables = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'
    and name not in ('d1_migrations', 'access_day') order by name`,
  ).all<{ name: string }>();
  const names = tables.results.map(({ name }) => name);
  const rows = await env.DB.batch(names.map((name) => env.DB.prepare(`select * from "${name}"`)));
  return Object.fromEntries(
    names.map((name, n) => [name, new Set(rows[n]?.results.map((row) => JSON.stringify(row)))]),
  );
}

/** The tables in which rows came, went or changed, with those rows. */
export function differences(before: Dump, after: Dump): Record<string, { gone: string[]; new: string[] }> {
  const found: Record<string, { gone: string[]; new: string[] }> = {};
  for (const name of Object.keys({ ...before, ...after })) {
    const [a, b] = [before[name] ?? new Set<string>(), after[name] ?? new Set<string>()];
    const change = { gone: [...a.difference(b)], new: [...b.difference(a)] };
    if (change.gone.length + change.new.length > 0) found[name] = change;
  }
  return found;
}
