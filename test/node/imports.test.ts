import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Who may import whom: the table of the README. `.` are the files at the top that everybody shares. */
const shared = ['errors', 'services', 'identifiers', 'push-payload'];
const rules: Record<string, { folders: string[]; packages: RegExp }> = {
  routes: { folders: ['http', 'model', 'schedule', 'routes/docs'], packages: /^(hono(\/|$)|zod$)/ },
  http: {
    folders: ['http', 'model', 'schedule', 'config'],
    packages: /^(hono(\/|$)|hono-openapi$|zod$|jose$)/,
  },
  jobs: { folders: ['jobs', 'model', 'schedule'], packages: /^$/ },
  model: { folders: ['model', 'db', 'schedule'], packages: /^drizzle-orm(\/|$)/ },
  schedule: { folders: ['schedule'], packages: /^(cron-parser|temporal-polyfill)$/ },
  db: { folders: ['db'], packages: /^drizzle-orm(\/|$)/ },
  runtime: { folders: ['runtime', 'jobs', 'db', 'config'], packages: /^(?!hono|zod)/ },
};
/** Routes share nothing with one another but these. */
const siblings: Record<string, string[]> = {
  'routes/responses': ['routes/surveys'],
  'routes/users': ['routes/avatar'],
};
const pure = ['schedule', 'db'];

const root = join(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const importsOf = (file: string) => {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  );
};

describe.each(Object.keys(rules))('%s/', (folder) => {
  const rule = rules[folder] as (typeof rules)[string];
  const inFolder = files.filter((file) => file.startsWith(`${folder}/`));

  test('has files', () => expect(inFolder.length).toBeGreaterThan(0));

  test.each(inFolder)('%s imports only what the folder may', (file) => {
    const name = file.replace(/\.ts$/, '');
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith('.')) {
        expect.soft(specifier).toMatch(rule.packages);
        continue;
      }
      expect.soft(specifier, 'local imports name the file with its ending').toMatch(/\.ts$/);
      const target = relative('.', normalize(join(dirname(file), specifier))).replace(/\.ts$/, '');
      const allowed = [...rule.folders, ...(pure.includes(folder) ? [] : shared), ...(siblings[name] ?? [])];
      expect
        .soft(
          allowed.some((one) => target === one || target.startsWith(`${one}/`)),
          `${file} imports ${target}`,
        )
        .toBe(true);
    }
  });
});

test.each(files.filter((file) => file.startsWith('schedule/')))('%s has no clock of its own', (file) => {
  expect(readFileSync(join(root, file), 'utf8')).not.toMatch(
    /Date\.now|new Date\(\)|Temporal\.Now|performance\.now/,
  );
});

test('only runtime/ and the entries name a platform', () => {
  const naming = files.filter((file) =>
    importsOf(file).some((one) => /^(cloudflare:|node:|@libsql|aws4fetch)/.test(one)),
  );
  expect(naming.filter((file) => !/^(runtime\/|node\.ts$|deno\.ts$|worker\.ts$)/.test(file))).toEqual([]);
});
