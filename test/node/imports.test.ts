import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Who may import whom: the table of docs/architecture.md. `shared` are the files at the top that serve every folder. */
const shared = ['errors', 'services', 'identifiers', 'retry'];
const rules: Record<string, { folders: string[]; packages: RegExp }> = {
  routes: {
    folders: [...shared, 'http', 'model', 'schedule'],
    packages: /^(hono(\/|$)|zod$)/,
  },
  http: {
    folders: [...shared, 'http', 'model', 'schedule', 'config'],
    packages: /^(hono(\/|$)|hono-openapi$|zod$|jose$)/,
  },
  jobs: { folders: [...shared, 'jobs', 'model', 'schedule'], packages: /^$/ },
  model: { folders: [...shared, 'model', 'db', 'schedule'], packages: /^(drizzle-orm(\/|$)|canonicalize$)/ },
  schedule: { folders: ['schedule'], packages: /^(cron-parser$|@noble\/hashes\/)/ },
  db: { folders: ['db'], packages: /^drizzle-orm(\/|$)/ },
  sns: { folders: [...shared, 'sns'], packages: /^(aws4fetch|jose)$/ },
  platform: {
    folders: [...shared, 'platform', 'jobs', 'model', 'db', 'sns', 'config'],
    packages: /^(?!hono|zod)/,
  },
  console: {
    folders: ['console', 'client'],
    packages: /^(preact(\/hooks)?|preact-iso\/\w+|oauth4webapi|uplot)$/,
  },
};

const project = join(import.meta.dirname, '../..');
const root = join(project, 'src');

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const specifiersOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/(?<!')(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  );

const files = sourcesOf(root);
const importsOf = (file: string) => specifiersOf(join(root, file));
const isLocal = (specifier: string) => specifier.startsWith('.');

describe.each(Object.keys(rules))('%s/', (folder) => {
  const rule = rules[folder] as (typeof rules)[string];
  const inFolder = files.filter((file) => file.startsWith(`${folder}/`));

  test('has files', () => expect(inFolder.length).toBeGreaterThan(0));

  test.each(inFolder)('%s imports only what the folder may', (file) => {
    for (const specifier of importsOf(file)) {
      if (!isLocal(specifier)) {
        expect.soft(specifier).toMatch(rule.packages);
        continue;
      }
      expect.soft(specifier, 'local imports name the file with its ending').toMatch(/\.tsx?$/);
      const target = join(dirname(file), specifier).replace(/\.tsx?$/, '');
      expect
        .soft(
          rule.folders.some((one) => target === one || target.startsWith(`${one}/`)),
          `${file} imports ${target}`,
        )
        .toBe(true);
    }
  });
});

test.each(files.filter((file) => file.startsWith('schedule/')))(
  "%s has no clock of its own, and does not ask for the runtime's time zones",
  (file) => {
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(
      /Date\.now|new Date\(\)|performance\.now|Temporal\.|Intl\.|toLocale\w*String|getTimezoneOffset/,
    );
  },
);

test('only platform/ and the entries name a platform', () => {
  const naming = files.filter((file) => importsOf(file).some((one) => /^(cloudflare:|node:)/.test(one)));
  expect(naming.filter((file) => !/^(platform\/|(node|deno|worker)\.ts$)/.test(file))).toEqual([]);
});

test.each(['src', 'dev', 'bench', 'test'])('no two files of %s/ import each other in a circle', (folder) => {
  const paths = sourcesOf(join(project, folder)).filter((file) => !file.includes('node_modules'));
  const graph = new Map(
    paths.map((file) => {
      const path = join(project, folder, file);
      return [
        path,
        specifiersOf(path)
          .filter(isLocal)
          .map((specifier) => join(dirname(path), specifier)),
      ];
    }),
  );
  expect(circlesIn(graph).map((circle) => circle.map((path) => relative(project, path)))).toEqual([]);
});

/** A check that cannot fail is none. */
test('a circle of three files is found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a']],
  ]);
  expect(circlesIn(graph)).toEqual([['a', 'b', 'c', 'a']]);
});

/** The circles that a walk from each node meets, each as the path that closes it. */
function circlesIn(graph: Map<string, string[]>): string[][] {
  const finished = new Set<string>();
  const circles: string[][] = [];
  const visit = (node: string, path: string[]) => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node]);
    else if (!finished.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
      finished.add(node);
    }
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

test.each(['dev', 'bench'])('%s/ imports nothing from test/', (folder) => {
  const paths = sourcesOf(join(project, folder)).filter((file) => !file.includes('node_modules'));
  const borrowed = paths.filter((file) => {
    const path = join(project, folder, file);
    return specifiersOf(path).some(
      (one) => isLocal(one) && relative(project, join(dirname(path), one)).startsWith('test/'),
    );
  });
  expect(borrowed).toEqual([]);
});
