import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { info } from '../../src/http/openapi/components.ts';
import { createMuteApp } from '../contract/document.ts';

/* The documents say what is there: settings, events, routes, files, commands, functions. */

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(project, file)));
const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
const code = (text: string) => [...namesIn(text, /`([^`\n]+)`/g)];

const operating = read('docs/operators/operating.md');

test.each([
  ['src/config.ts', /^ {4}([A-Z][A-Z_]+):/gm],
  ['src/platform/server/settings.ts', /\b(?:env\.|(?<=[{,] ))([A-Z][A-Z_]+)\b/g],
  ['wrangler.toml', /^(?:binding|name) = "([A-Z][A-Z_]+)"/gm],
])('every variable of %s is in a table of operating.md', (path, pattern) => {
  const cells = [...operating.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell).join();
  const names = [...namesIn(read(path), pattern)];
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !code(cells).includes(name))).toEqual([]);
});

test('the table of the log in operating.md has every event, and nothing else', () => {
  const [, log = ''] = operating.split('\n## Logs\n');
  const [rows = ''] = log.split('\n## ');
  const cells = [...rows.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell).join();
  const sources = files.filter((file) => /^src\/.*\.ts$/.test(file)).map(read);
  const logged = namesIn(sources.join('\n'), /\b(?:event: |attempt\(\w+, )'([\w.-]+)'/g);
  // These take their names from what happened.
  for (const name of ['client.closed', 'reconcile.<step>-failed']) logged.add(name);
  expect(code(cells).sort()).toEqual([...logged].sort());
});

const documents = files.filter((file) => /\.md$/.test(file));
// The changelog names what is gone.
const present = documents.filter((file) => file !== 'CHANGELOG.md');
expect(present.length).toBeGreaterThan(18);

const routes = createMuteApp()
  .routes.filter(({ method }) => method !== 'ALL')
  .map(({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '(?:[:<][^/]+|me)')}$`));

/** `GET PATCH /case/:id` as `GET /case/:id` and `PATCH /case/:id`, without queries and bodies. */
const routesIn = (text: string) =>
  [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE)(?: [A-Z]+)*) (\/[^\s`?]*)/g)].flatMap(
    ([, methods = '', path]) => methods.split(' ').map((method) => `${method} ${path}`),
  );

test.each(present)('%s names routes that exist', (path) => {
  const named = routesIn(read(path));
  if (path.startsWith('docs/app-developers/')) expect(named.length).toBeGreaterThan(5);
  expect(named.filter((route) => !routes.some((pattern) => pattern.test(route)))).toEqual([]);
});

/** The anchors of headings: lower case, without punctuation, with hyphens for spaces. */
const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(documents)('every relative link of %s leads somewhere', (path) => {
  const targets = [...namesIn(read(path), /\]\(([^)\s]+)\)/g)].filter((target) => !/^[a-z]+:/.test(target));
  const broken = targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : join(dirname(path), file);
    return !existsSync(join(project, to)) || (anchor !== undefined && !anchorsOf(to).includes(anchor));
  });
  expect(broken).toEqual([]);
});

/** Whole paths, and ends of paths such as `reminders/deliver.ts`. */
const exists = (path: string) =>
  files.some(
    (file) => `/${file}`.endsWith(`/${path}`) || (path.endsWith('/') && `/${file}`.includes(`/${path}`)),
  );

test.each(present)('%s names files and commands that exist', (path) => {
  const paths = code(read(path)).filter((text) =>
    /^[\w.-][\w/.-]*(?:\.(?:tsx?|md|sql|toml|mjs|css)|\w\/)$/.test(text),
  );
  expect(paths.filter((text) => !exists(text))).toEqual([]);
  const packages = [
    'package.json',
    ...(path.startsWith('examples/phone/') ? ['examples/phone/package.json'] : []),
  ];
  const scripts = packages.flatMap((name) => Object.keys(JSON.parse(read(name)).scripts));
  const commands = [...namesIn(read(path), /npm run (?:-s )?([a-z][\w:-]*)/g)];
  expect(commands.filter((name) => !scripts.includes(name))).toEqual([]);
});

test.each(['docs/architecture.md', 'docs/decisions.md'])(
  '%s names functions and columns that exist',
  (path) => {
    const sources = files.filter((file) =>
      /^(?:src|console|participant|migrations)\/.*\.(?:tsx?|sql)$/.test(file),
    );
    const words = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []));
    const named = code(read(path)).filter((text) => /^[a-z]+(?:[A-Z]|_[a-z])\w*$/.test(text));
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !words.has(name))).toEqual([]);
  },
);

test.each(['README.md', 'CONTRIBUTING.md', 'docs/operators/operating.md', 'deploy/fieldbell.service'])(
  '%s asks for the Node that package.json asks for',
  (path) => {
    const { engines } = JSON.parse(read('package.json'));
    const asked = [...namesIn(read(path), /Node,? (\d[\d.]*) or later/g)];
    expect(asked).toEqual([engines.node.replace('>=', '')]);
  },
);

test('the project, the client, the API document and the changelog have one version', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(JSON.parse(read('client/package.json')).version).toBe(version);
  expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`);
  expect(read('clients/python/fieldbell/__init__.py')).toContain(`__version__ = "${version}"`);
  expect(read('clients/r/DESCRIPTION')).toContain(`Version: ${version}\n`);
  expect(JSON.parse(read('package-lock.json')).version).toBe(version);
  expect(info.version).toBe(version);
  expect(read('CHANGELOG.md')).toContain(`## [${version}] - `);
  expect(read('client/README.md')).toContain(`fieldbell-client-${version}.tgz`);
});
