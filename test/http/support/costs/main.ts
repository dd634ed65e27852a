import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type World as People, readAnswer } from '../../../support/people.ts';
import { routesOf } from '../fuzz/requests.ts';
import { fillCrowds } from './crowds.ts';
import {
  type LargeStudyModule,
  measureRoute,
  type RequestsModule,
  type RouteCost,
} from './measure-routes.ts';
import { markdownOf, type Report } from './report.ts';
import { measureCrowds, type ScenarioCost, silentResolver } from './scenarios.ts';
import { createSender } from './sender.ts';
import { type Runtime, runtimes, startService } from './service.ts';
import {
  authOf,
  openDatabase,
  openTree,
  readersOf,
  signUpReaders,
  startRelay,
  type Tree,
  withoutRates,
  worldOf,
} from './tree.ts';

/*
 * `npm run cost -- --routes`: for each route its dearest requests, their CPU, and how long others wait meanwhile, and what
 * many requests at once cost, on Node and Deno. `--tree <folder>` measures another checkout by its own code.
 */

const { values: options } = parseArgs({
  options: {
    routes: { type: 'boolean' },
    tree: { type: 'string', default: resolve(import.meta.dirname, '../../../..') },
    runtime: { type: 'string', multiple: true, default: [...runtimes] },
    /** Only routes whose operation has this in its name. */
    only: { type: 'string', default: '' },
    out: { type: 'string', default: '.cache/costs' },
    skip: { type: 'string', multiple: true, default: [] },
  },
});

const notes: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'fieldbell-costs-'));
try {
  const tree = await openTree(resolve(options.tree));
  for (const runtime of options.runtime as Runtime[]) {
    const routes = options.skip.includes('routes') ? [] : await costsOfRoutes(tree, runtime);
    const scenarios = options.skip.includes('crowds') ? [] : await costsOfCrowds(tree, runtime);
    await write({ tree: tree.folder, runtime, at: new Date().toISOString(), routes, scenarios, notes });
  }
} finally {
  await rm(folder, { recursive: true });
}
process.exit(0);

async function costsOfRoutes(tree: Tree, runtime: Runtime): Promise<RouteCost[]> {
  const { largeStudy, vocabularyOf } = await tree.load<LargeStudyModule>(
    'test/http/support/costs/large-study.ts',
  );
  const { costlyRequests } = await tree.load<RequestsModule>('test/http/support/costs/requests.ts');
  const file = join(folder, `routes-${runtime}.db`);
  const database = await openDatabase(tree, file);
  const start = () =>
    startService({
      tree: tree.folder,
      runtime,
      env: { ...tree.settings, ...withoutRates, FIELDBELL_DB: file, PORT: '0' },
    });
  let url = '';
  const people: People = {
    send: async (path, init) => readAnswer(await fetch(`${url}${path}`, { redirect: 'manual', ...init })),
    auth: authOf(tree),
    subjectOf: (name) => `${name.toLowerCase().replaceAll(/\W/g, '-')}-${crypto.randomUUID()}`,
    snsUrl: '',
  };
  const world = worldOf(tree, () => url);
  const sender = await createSender(
    async () => {
      const service = await start();
      ({ url } = service);
      await signUpReaders(world);
      return service;
    },
    await readersOf(world),
  );
  const began = Date.now();
  const large = await largeStudy({ client: database.client, world: people } as never);
  console.error(`${runtime}: a large study after ${Date.now() - began} ms`);
  const table = costlyRequests(large);
  const document = (await people.send('/openapi.json')).body;
  const found: RouteCost[] = [];
  for (const route of routesOf(document)) {
    const id = route.operation.operationId;
    if (!id.includes(options.only)) continue;
    const requests = table[id] ?? [];
    const measuring = { route, requests, vocabulary: vocabularyOf(large), token: large.owner.token };
    const cost = await measureRoute(measuring, sender);
    console.error(
      `${runtime} ${id}: ${cost.dearest.cpu.toFixed(0)} ms of CPU (${cost.dearest.what}), ${cost.slowest.stallCpu.toFixed(0)} ms at once (${cost.slowest.what})`,
    );
    found.push(cost);
  }
  await sender.end();
  database.close();
  return found;
}

async function costsOfCrowds(tree: Tree, runtime: Runtime): Promise<ScenarioCost[]> {
  const relay = await startRelay(tree);
  const resolver = await silentResolver();
  let resolv: string | undefined;
  if (resolver) {
    resolv = join(folder, 'resolv.conf');
    await writeFile(resolv, `nameserver ${resolver.address}\n`);
  } else notes.push('No resolver of our own: unknown names were refused at once, as the machine does.');
  const file = join(folder, `crowds-${runtime}.db`);
  const database = await openDatabase(tree, file);
  const env = {
    ...tree.settings,
    FIELDBELL_DB: file,
    PORT: '0',
    SNS_ENDPOINT: `http://localhost:${relay.port}/`,
  };
  let url = '';
  const world = worldOf(tree, () => url);
  const sender = await createSender(
    async () => {
      const service = await startService({ tree: tree.folder, runtime, env, whole: true, resolver: resolv });
      ({ url } = service);
      await signUpReaders(world);
      return service;
    },
    await readersOf(world),
  );
  try {
    const began = Date.now();
    const crowds = await fillCrowds(database.client, world);
    console.error(`${runtime}: crowds after ${Date.now() - began} ms`);
    return await measureCrowds({ world, crowds, sender });
  } finally {
    await sender.end();
    database.close();
    resolver?.close();
    await relay.close();
  }
}

async function write(report: Report) {
  await mkdir(options.out, { recursive: true });
  const base = join(options.out, report.runtime);
  await writeFile(`${base}.json`, `${JSON.stringify(report, null, 1)}\n`);
  await writeFile(`${base}.md`, markdownOf(report));
  console.log(markdownOf(report));
}
