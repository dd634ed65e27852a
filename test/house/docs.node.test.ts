import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { info } from '../../src/http/openapi/components.ts';
import { createMuteApp } from '../contract/document.ts';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' }).split('\n');

const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name as string));

/** The first cells of the tables of a document, each name that they put in code. */
const tabulated = namesIn(
  read('docs/operators/operating.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1])
    .join('\n'),
  /`(\w+)`/g,
);

describe('docs/operators/operating.md', () => {
  const sources = {
    'src/config.ts': /^ {4}([A-Z][A-Z_]+):/gm,
    'src/platform/server/settings.ts': /\b(?:env\.|(?<=[{,] ))([A-Z][A-Z_]+)\b/g,
    'wrangler.toml': /^(?:binding|name) = "([A-Z][A-Z_]+)"/gm,
  };

  test.each(Object.entries(sources))('every variable of %s is in its table', (path, pattern) => {
    const names = namesIn(read(path), pattern);
    expect(names.size).toBeGreaterThan(4);
    expect([...names].filter((name) => !tabulated.has(name))).toEqual([]);
  });
});

test('the table of the log in docs/operators/operating.md has every event, and nothing else', () => {
  const [, log = ''] = read('docs/operators/operating.md').split('\n## Logs\n');
  const [rows = ''] = log.split('\n## ');
  const cells = [...rows.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell).join();
  const sources = files.filter((file) => /^src\/.*\.ts$/.test(file) && existsSync(join(project, file)));
  const text = sources.map(read).join('\n');
  const logged = namesIn(text, /\b(?:event: |attempt\(\w+, )'([\w.-]+)'/g);
  // These take their names from what happened.
  for (const name of ['client.closed', 'reconcile.<step>-failed']) logged.add(name);
  expect([...namesIn(cells, /`([^`]+)`/g)].sort()).toEqual([...logged].sort());
});

/** `GET PATCH /case/:id` as `GET /case/:id` and `PATCH /case/:id`, without queries and bodies. */
const routesIn = (text: string) =>
  [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE)(?: [A-Z]+)*) (\/[^\s`?]*)/g)].flatMap(
    ([, methods = '', path]) => methods.split(' ').map((method) => `${method} ${path}`),
  );

test.each(['docs/app-developers/first-hour.md', 'docs/app-developers/concepts.md', 'docs/operators/security.md'])(
  '%s names routes that exist',
  (path) => {
    const routes = createMuteApp().routes.filter(({ method }) => method !== 'ALL');
    const known = routes.map(
      (route) => new RegExp(`^${route.method} ${route.path.replaceAll(/:\w+/g, '(?:[:<][^/]+|me)')}$`),
    );
    const named = routesIn(read(path));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((route) => !known.some((pattern) => pattern.test(route)))).toEqual([]);
  },
);

test('the project, the client, the API document and the changelog have one version', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(JSON.parse(read('client/package.json')).version).toBe(version);
  expect(JSON.parse(read('package-lock.json')).version).toBe(version);
  expect(info.version).toBe(version);
  expect(read('CHANGELOG.md')).toContain(`## [${version}] - `);
  expect(read('client/README.md')).toContain(`fieldbell-client-${version}.tgz`);
});

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'client/README.md',
  'examples/phone/README.md',
  ...['docs', 'deploy'].flatMap((folder) =>
    readdirSync(join(project, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

/** The anchor that a heading gets: lower case, without punctuation, with hyphens for spaces. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) => anchorOf(line.replace(/^#+ /, '')));

test.each(documents)('every relative link of %s leads somewhere', (path) => {
  const targets = [...namesIn(read(path), /\]\(([^)\s]+)\)/g)].filter((target) => !/^[a-z]+:/.test(target));
  const broken = targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : join(dirname(path), file);
    return !existsSync(join(project, to)) || (anchor !== undefined && !anchorsOf(to).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/operators/operating.md', 'deploy/fieldbell.service'])(
  '%s asks for the Node that package.json asks for',
  (path) => {
    const { engines } = JSON.parse(read('package.json'));
    const asked = [...namesIn(read(path), /Node,? (\d[\d.]*) or later/g)];
    expect(asked).toEqual([engines.node.replace('>=', '')]);
  },
);

const code = (path: string) => namesIn(read(path), /`([^`\n]+)`/g);

/** Whole paths, and ends of paths such as `reminders/deliver.ts`. */
const exists = (path: string) =>
  files.some(
    (file) => `/${file}`.endsWith(`/${path}`) || (path.endsWith('/') && `/${file}`.includes(`/${path}`)),
  );

// The changelog names what is gone.
test.each(documents.filter((path) => path !== 'CHANGELOG.md'))(
  '%s names files and commands that exist',
  (path) => {
    const paths = [...code(path)].filter((text) =>
      /^[\w.-]*[\w/.-]+(?:\.(?:tsx?|md|sql|toml|mjs|css)|\w\/)$/.test(text),
    );
    expect(paths.filter((text) => !text.startsWith('/') && !exists(text))).toEqual([]);
    const example = path.startsWith('examples/phone/') ? ['examples/phone/package.json'] : [];
    const scripts = Object.assign(
      {},
      ...['package.json', ...example].map((of) => JSON.parse(read(of)).scripts),
    );
    const commands = namesIn(read(path), /npm run (?:-s )?([a-z][\w:-]*)/g);
    expect([...commands].filter((name) => !(name in scripts))).toEqual([]);
  },
);

/** All words of the sources. */
const words = new Set(
  files
    .filter((file) => /^(?:src|dev|bench)\/.*\.(?:tsx?|mjs)$/.test(file) && existsSync(join(project, file)))
    .flatMap((file) => read(file).match(/\w+/g) ?? []),
);

test.each(['docs/architecture.md', 'docs/decisions.md'])('%s names functions that exist', (path) => {
  const named = [...code(path)].filter((text) => /^[a-z]+[A-Z]\w*$/.test(text));
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !words.has(name))).toEqual([]);
});
