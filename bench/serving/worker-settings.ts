import { readFile } from 'node:fs/promises';

/** Settings that the floor shares with the Worker: the runtime's behaviour, and the name of D1's file. */
export async function readWorkerSettings() {
  const text = await readFile(new URL('../../wrangler.toml', import.meta.url), 'utf8');
  const setting = (name: string) => {
    const [, value] = new RegExp(`^${name} = "([^"]+)"`, 'm').exec(text) ?? [];
    if (value === undefined) throw new Error(`wrangler.toml has no ${name}`);
    return value;
  };
  return { compatibilityDate: setting('compatibility_date'), databaseId: setting('database_id') };
}
