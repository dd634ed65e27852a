import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/* The tables of docs/architecture.md: which room, layer and program may import what. */

/** Files at the top of `src/` that serve every folder. */
const shared = [
  ...['attempt', 'breathe', 'context', 'decimals', 'errors', 'identifiers', 'outgoing', 'retry', 'services'],
  'typed-code',
];

/** The rooms, and the rooms that each may use. One that uses another stands below it, so there is no circle. */
const rooms: Record<string, string[]> = {
  permissions: [],
  log: ['permissions'],
  reminders: ['permissions'],
  locks: ['permissions', 'log', 'reminders'],
  phones: ['permissions', 'reminders'],
  items: ['permissions', 'log', 'locks', 'reminders'],
  compliance: ['permissions', 'log', 'reminders', 'items'],
  studies: ['permissions', 'log', 'locks', 'reminders', 'compliance'],
  people: ['permissions', 'log', 'reminders', 'phones', 'studies'],
  enrolment: ['permissions', 'log', 'reminders', 'phones', 'studies', 'people'],
  changes: ['permissions', 'log', 'locks', 'items', 'studies'],
  webhooks: ['permissions', 'log', 'changes', 'studies'],
  operations: ['items', 'locks', 'reminders', 'phones', 'studies', 'people', 'changes', 'webhooks'],
};
const roomNames = Object.keys(rooms);

/** Routes may also use the models of these, and the shapes of answers of every room. */
const ofRoutes: Record<string, string[]> = { reminders: ['studies'] };

interface Rule {
  allows: (target: string) => boolean;
  packages: RegExp;
}

const isIn = (target: string, names: readonly string[]) =>
  names.some((name) => target === name || target.startsWith(`${name}/`));
const among = (names: readonly string[], packages: RegExp): Rule => ({
  allows: (target) => isIn(target, names),
  packages,
});

/** The folders of `src/` that are no rooms. */
const layers: Record<string, Rule> = {
  http: among(
    [
      ...shared,
      ...['http', 'schedule', 'config', 'people/sign-ups', 'people/users'],
      ...['permissions/lock-policies', 'permissions/frozen-groups'],
    ],
    /^(hono(\/|$)|zod$|jose$)/,
  ),
  schedule: among(['schedule'], /^(cron-parser$|@noble\/hashes\/)/),
  db: among(['db'], /^drizzle-orm(\/|$)/),
  push: among([...shared, 'push'], /^(aws4fetch|jose)$/),
  platform: among(
    [...shared, ...['platform', 'reminders', 'webhooks', 'operations', 'db', 'push', 'config', 'local-mode']],
    /^(?!hono|zod)/,
  ),
};

/** The programs beside the service. */
const pages = ['client', 'src/decimals', 'src/retry', 'src/typed-code'];
const programs: Record<string, Rule> = {
  client: among(['client', 'src/app', 'src/errors', 'src/retry'], /^hono\/client$/),
  console: among(['console', ...pages], /^(preact(\/hooks)?|preact-iso\/\w+|oauth4webapi|uqr)$/),
  participant: among(['participant', ...pages], /^preact(\/hooks)?$/),
};

const isRoutes = (path: string) => /^\w+\/(?:routes\/|[\w-]*shapes(?:\.ts)?$)/.test(path);
/** Roles and properties are words that every layer may use. */
const isWords = (path: string) => /^permissions\/(?:roles|groups)(?:\.ts)?$/.test(path);
const isSchema = (path: string) => /^\w+\/(?:[\w-]+-)?schema(?:\.ts)?$/.test(path) || isWords(path);

/** The rule of a file in a room, by its layer: schema, routes, or model and jobs. */
function ruleOf(file: string): Rule {
  const [room = ''] = file.split('/');
  const used = [room, ...(rooms[room] ?? [])];
  if (isSchema(file)) return { allows: isSchema, packages: /^drizzle-orm(\/|$)/ };
  if (isRoutes(file)) {
    const models = [...shared, 'http', 'schedule', ...used, ...(ofRoutes[room] ?? [])];
    return {
      allows: (target) =>
        isWords(target) ||
        (isRoutes(target) ? !target.includes('/routes/') : !isSchema(target) && isIn(target, models)),
      packages: /^(hono(\/|$)|zod$)/,
    };
  }
  return {
    allows: (target) =>
      isSchema(target) || (!isRoutes(target) && isIn(target, [...shared, 'db', 'schedule', ...used])),
    packages: /^(drizzle-orm(\/|$)|(canonicalize|uqr)$)/,
  };
}

const project = join(import.meta.dirname, '../..');
const root = join(project, 'src');

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/node_modules|^dist\//.test(file),
  );
const importsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/(?<![\w'])(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
const isLocal = (specifier: string) => specifier.startsWith('.');

/** Local imports name the file with its ending. */
const permits = ({ allows, packages }: Rule, file: string, specifier: string) =>
  isLocal(specifier)
    ? /\.tsx?$/.test(specifier) && allows(join(dirname(file), specifier).replace(/\.tsx?$/, ''))
    : packages.test(specifier);

const violations = (file: string, rule: Rule, base = root) =>
  importsOf(join(base, file))
    .filter((specifier) => !permits(rule, file, specifier))
    .map((specifier) => `${file} imports ${specifier}`);

const files = sourcesOf(root);
const inFolder = (folder: string) => files.filter((file) => file.startsWith(`${folder}/`));

test.each(roomNames)('%s/ uses rooms that stand before it, each layer what it may', (room) => {
  const before = roomNames.slice(0, roomNames.indexOf(room));
  expect(rooms[room]?.filter((used) => !before.includes(used))).toEqual([]);
  expect(inFolder(room)).not.toEqual([]);
  expect(inFolder(room).flatMap((file) => violations(file, ruleOf(file)))).toEqual([]);
});

test.each([
  ['a model that imports hono', 'locks/freezes.ts', 'hono'],
  ['a model that imports a room behind it', 'log/activities.ts', '../studies/members.ts'],
  ['a model that imports its own routes', 'locks/freezes.ts', './routes/freezes.ts'],
  ['routes that import the schema', 'locks/routes/freezes.ts', '../../studies/schema.ts'],
  ["routes that import another room's routes", 'locks/routes/freezes.ts', '../../items/routes/cases.ts'],
  ['a schema that imports a model', 'items/schema.ts', './cases.ts'],
])('%s is found', (_, file, specifier) => {
  expect(permits(ruleOf(file), file, specifier)).toBe(false);
});

test.each(Object.entries(layers))('%s/ imports what the folder may', (folder, rule) => {
  expect(inFolder(folder)).not.toEqual([]);
  expect(inFolder(folder).flatMap((file) => violations(file, rule))).toEqual([]);
});

test.each(Object.entries(programs))('the program %s/ imports what it may', (folder, rule) => {
  const sources = sourcesOf(join(project, folder));
  expect(sources.flatMap((file) => violations(join(folder, file), rule, project))).toEqual([]);
});

test('every folder of src/ has a rule', () => {
  const folders = new Set(files.flatMap((file) => (file.includes('/') ? [file.split('/')[0]] : [])));
  expect([...folders].sort()).toEqual([...roomNames, ...Object.keys(layers)].sort());
});

test("schedule/ has no clock of its own, and does not ask for the runtime's time zones", () => {
  const asking = inFolder('schedule').filter((file) =>
    /Date\.now|new Date\(\)|performance\.now|Temporal\.|Intl\.|toLocale\w*String|getTimezoneOffset/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(asking).toEqual([]);
});

test('only platform/ and the entries name a platform', () => {
  const naming = files.filter((file) =>
    importsOf(join(root, file)).some((one) => /^(cloudflare:|node:)/.test(one)),
  );
  expect(naming.filter((file) => !/^(platform\/|(node|deno|worker)\.ts$)/.test(file))).toEqual([]);
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

const folders = ['src', 'client', 'console', 'participant', 'build', 'tools', 'simulator', 'bench', 'test'];
describe.each(folders)('%s/', (folder) => {
  const graph = new Map(
    sourcesOf(join(project, folder)).map((source) => {
      const file = join(folder, source);
      const targets = importsOf(join(project, file)).filter(isLocal);
      return [file, targets.map((specifier) => join(dirname(file), specifier))];
    }),
  );

  test('has no files that import each other in a circle', () => expect(circlesIn(graph)).toEqual([]));

  test.skipIf(folder === 'test')('imports nothing from test/', () => {
    const borrowed = [...graph].filter(([, targets]) => targets.some((path) => path.startsWith('test/')));
    expect(borrowed).toEqual([]);
  });
});

test('a circle of three files is found', () => {
  const graph = new Map(Object.entries({ a: ['b'], b: ['c'], c: ['a'] }));
  expect(circlesIn(graph)).toEqual([['a', 'b', 'c', 'a']]);
});
