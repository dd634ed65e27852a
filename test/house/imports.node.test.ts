import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Files at the top of `src/` that serve every folder. */
const shared = [
  'attempt',
  'breathe',
  'context',
  'decimals',
  'errors',
  'identifiers',
  'outgoing',
  'retry',
  'services',
  'typed-code',
];

/** The rooms, and the rooms that each may use. One that uses another stands below it, so there is no circle. */
const rooms = {
  permissions: [],
  log: ['permissions'],
  reminders: ['permissions'],
  compliance: ['permissions', 'log', 'reminders'],
  locks: ['permissions', 'log', 'reminders'],
  phones: ['permissions', 'reminders'],
  items: ['permissions', 'log', 'locks', 'reminders'],
  studies: ['permissions', 'log', 'locks', 'reminders', 'compliance'],
  people: ['permissions', 'log', 'reminders', 'phones', 'studies'],
  enrolment: ['permissions', 'log', 'reminders', 'phones', 'studies', 'people'],
  changes: ['permissions', 'log', 'locks', 'items', 'studies'],
  webhooks: ['permissions', 'log', 'changes', 'studies'],
  operations: ['items', 'locks', 'reminders', 'phones', 'studies', 'people', 'changes', 'webhooks'],
} satisfies Record<string, string[]>;
type Room = keyof typeof rooms;
const roomNames = Object.keys(rooms) as Room[];

/** Routes may also use the models of these, and the shapes of answers of every room. */
const ofRoutes: Partial<Record<Room, string[]>> = { reminders: ['studies'] };

/** The permitted imports: the tables of docs/architecture.md. */
const rules: Record<string, { folders: string[]; packages: RegExp }> = {
  http: {
    folders: [
      ...shared,
      'http',
      'schedule',
      'config',
      'people/sign-ups',
      'people/users',
      'permissions/lock-policies',
    ],
    packages: /^(hono(\/|$)|zod$|jose$)/,
  },
  schedule: { folders: ['schedule'], packages: /^(cron-parser$|@noble\/hashes\/)/ },
  db: { folders: ['db'], packages: /^drizzle-orm(\/|$)/ },
  push: { folders: [...shared, 'push'], packages: /^(aws4fetch|jose)$/ },
  platform: {
    folders: [
      ...shared,
      'platform',
      'reminders',
      'webhooks',
      'operations',
      'db',
      'push',
      'config',
      'local-mode',
    ],
    packages: /^(?!hono|zod)/,
  },
};

/** The programs beside the service, and what each may import. */
const programs: typeof rules = {
  client: { folders: ['client', 'src/app', 'src/errors', 'src/retry'], packages: /^hono\/client$/ },
  console: {
    folders: ['console', 'client', 'src/decimals', 'src/retry', 'src/typed-code'],
    packages: /^(preact(\/hooks)?|preact-iso\/\w+|oauth4webapi|uqr)$/,
  },
  participant: {
    folders: ['participant', 'client', 'src/decimals', 'src/retry', 'src/typed-code'],
    packages: /^preact(\/hooks)?$/,
  },
};

const isRoutes = (path: string) => /^\w+\/(?:routes\/|[\w-]*shapes(?:\.ts)?$)/.test(path);
const isSchema = (path: string) => /^(?:\w+\/(?:[\w-]+-)?schema|permissions\/roles)(?:\.ts)?$/.test(path);

/** The permitted imports of a file in a room, by its layer: routes, model and jobs, or the schema. */
function ruleOf(room: Room, file: string): { allows: (target: string) => boolean; packages: RegExp } {
  const isIn = (target: string, names: readonly string[]) =>
    names.some((name) => target === name || target.startsWith(`${name}/`));
  if (isSchema(file)) return { allows: (target) => isSchema(target), packages: /^drizzle-orm(\/|$)/ };
  if (isRoutes(file)) {
    const models = [room, ...rooms[room], ...(ofRoutes[room] ?? [])];
    return {
      allows: (target) =>
        isRoutes(target)
          ? !target.includes('/routes/')
          : !isSchema(target) && isIn(target, [...shared, 'http', 'schedule', ...models]),
      packages: /^(hono(\/|$)|zod$)/,
    };
  }
  return {
    allows: (target) =>
      isSchema(target) ||
      (!isRoutes(target) && isIn(target, [...shared, 'db', 'schedule', room, ...rooms[room]])),
    packages: /^(drizzle-orm(\/|$)|(canonicalize|uqr)$)/,
  };
}

const project = join(import.meta.dirname, '../..');
const root = join(project, 'src');

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const specifiersOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/(?<![\w'])(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  );

const files = sourcesOf(root);
const importsOf = (file: string) => specifiersOf(join(root, file));
const isLocal = (specifier: string) => specifier.startsWith('.');

const expectImports = (
  file: string,
  { allows, packages }: { allows: (target: string) => boolean; packages: RegExp },
  base = root,
) => {
  for (const specifier of specifiersOf(join(base, file))) {
    if (!isLocal(specifier)) {
      expect.soft(specifier).toMatch(packages);
      continue;
    }
    expect.soft(specifier, 'local imports name the file with its ending').toMatch(/\.tsx?$/);
    const target = join(dirname(file), specifier).replace(/\.tsx?$/, '');
    expect.soft(allows(target), `${file} imports ${target}`).toBe(true);
  }
};

describe.each(roomNames)('the room %s/', (room) => {
  const inRoom = files.filter((file) => file.startsWith(`${room}/`));

  test('has files', () => expect(inRoom.length).toBeGreaterThan(0));
  test('uses rooms that stand before it', () => {
    for (const used of rooms[room])
      expect(roomNames.indexOf(used as Room)).toBeLessThan(roomNames.indexOf(room));
  });
  test.each(inRoom)('%s imports only what its layer may', (file) => expectImports(file, ruleOf(room, file)));
});

/** A check that cannot fail is none. */
test.each([
  ['a model that imports hono', 'locks/freezes.ts', 'hono'],
  ['a model that imports a room behind it', 'log/activities.ts', '../studies/members.ts'],
  ['a model that imports its own routes', 'locks/freezes.ts', './routes/freezes.ts'],
  ['routes that import the schema', 'locks/routes/freezes.ts', '../../studies/schema.ts'],
  ["routes that import another room's routes", 'locks/routes/freezes.ts', '../../items/routes/cases.ts'],
  ['a schema that imports a model', 'items/schema.ts', './cases.ts'],
])('%s is found', (_, file, specifier) => {
  const { allows, packages } = ruleOf(file.split('/')[0] as Room, file);
  const target = join(dirname(file), specifier).replace(/\.tsx?$/, '');
  expect(isLocal(specifier) ? allows(target) : packages.test(specifier)).toBe(false);
});

describe.each(Object.keys(rules))('%s/', (folder) => {
  const rule = rules[folder] as (typeof rules)[string];
  const inFolder = files.filter((file) => file.startsWith(`${folder}/`));

  test('has files', () => expect(inFolder.length).toBeGreaterThan(0));

  test.each(inFolder)('%s imports only what the folder may', (file) =>
    expectImports(file, {
      allows: (target) => rule.folders.some((one) => target === one || target.startsWith(`${one}/`)),
      packages: rule.packages,
    }),
  );
});

describe.each(Object.keys(programs))('the program %s/', (folder) => {
  const { folders, packages } = programs[folder] as (typeof programs)[string];
  const allows = (target: string) => folders.some((one) => target === one || target.startsWith(`${one}/`));

  test.each(sourcesOf(join(project, folder)).filter((file) => !file.startsWith('dist/')))(
    '%s imports only what the program may',
    (file) => expectImports(join(folder, file), { allows, packages }, project),
  );
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

test.each(['src', 'client', 'console', 'participant', 'build', 'tools', 'simulator', 'bench', 'test'])(
  'no two files of %s/ import each other in a circle',
  (folder) => {
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
  },
);

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

test.each(['build', 'tools', 'simulator', 'bench'])('%s/ imports nothing from test/', (folder) => {
  const paths = sourcesOf(join(project, folder)).filter((file) => !file.includes('node_modules'));
  const borrowed = paths.filter((file) => {
    const path = join(project, folder, file);
    return specifiersOf(path).some(
      (one) => isLocal(one) && relative(project, join(dirname(path), one)).startsWith('test/'),
    );
  });
  expect(borrowed).toEqual([]);
});
