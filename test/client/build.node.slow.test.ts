import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { buildSync, transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { newFolder, open, type Service } from '../conformance/support/runtimes.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { findChromium, startBrowser } from '../support/browser.ts';
import { signToken } from '../support/people.ts';

/** Somebody else's program: three pages, a retry after a lost answer, and a token that has expired. */
const program = `
import { createClient, newIdentifier, pages, ProblemError } from '@fieldbell/client';

const [baseUrl = '', expired = '', fresh = ''] = process.argv.slice(2);
const asked: boolean[] = [];
let sent = 0;
const { api, cases } = createClient({
  baseUrl,
  token: ({ refused }) => {
    asked.push(refused);
    return asked.includes(true) ? fresh : expired;
  },
  fetch: async (input, init) => {
    const answer = await fetch(input, init);
    sent += 1;
    if (sent === 4) throw new TypeError('the answer was lost');
    return answer;
  },
  sleep: async () => {},
});

const me = await (await api.user.$post({ json: { name: 'Ada', timeZone: 'Europe/Paris' } })).json();
const study = await (await api.investigation.$post({ json: { name: 'Sleep' } })).json();
const param = { id: study.identifier };
for (const label of ['one', 'two', 'three', 'four', 'five'])
  await api.investigation[':id'].case.$post({ param, json: { label, identifier: newIdentifier() } });

const sizes: number[] = [];
let cursor: string | undefined;
do {
  const page = await (await api.investigation[':id'].cases.$get({ param, query: { limit: '2', cursor } })).json();
  sizes.push(page.cases.length);
  cursor = page.next;
} while (cursor !== undefined);

const labels: string[] = [];
for await (const night of cases(study.identifier, { limit: '2' })) labels.push(night.label.toUpperCase());
const members: string[] = [];
for await (const page of pages((next) => api.investigation[':id'].members.$get({ param, query: { cursor: next } })))
  members.push(...page.members.map((member) => member.name));
const history: string[] = [];
const self = { id: 'me' };
for await (const page of pages((next) => api.user[':id'].notifications.$get({ param: self, query: { cursor: next } })))
  history.push(...page.notifications.map((one) => \`\${one.state} \${one.nextKind ?? ''}\`));
const agenda = await (await api.user[':id'].agenda.$get({ param: self, query: {} })).json();
const preview = await (await api.reminders.preview.$post({ json: {
  reminders: {
    type: 'rolling',
    recurrence: '* * * * *',
    windows: [{ from: '09:00', to: '12:00', count: 2 }],
    followUps: { every: 30, max: 2 },
    translations: { fr: { subject: 'Journal', body: 'Comment va ?' } },
  },
  timeZone: 'Europe/Paris', quietHours: { from: '22:00', to: '07:00' }, startsOn: '2027-03-01', count: 2,
} })).json();
const previewed: (number | undefined)[] = preview.occurrences.map(({ slot }) => slot);
const unknown = { param: { id: '0'.repeat(32) } };
const codes: unknown[] = [];
for (const request of [
  () => api.notification[':id'].$get(unknown),
  () => api.notification[':id'].receipt.$post({ ...unknown, json: { event: 'opened' } }),
  () => api.notification[':id'].snooze.$post({ ...unknown, json: { minutes: 10 } }),
  () => api.survey[':id'].reminders.upcoming.$get({ ...unknown, query: {} }),
])
  codes.push(await request().then(() => '', (error) => error instanceof ProblemError && error.code));
() => api.response[':id'].$get(unknown).then(async (answer) => (await answer.json()).items);
() => api.notification[':id'].snooze.$post({ ...unknown, json: { minutes: 10 } }).then(async (answer) => (await answer.json()).nextAt.slice());
() => api.survey[':id'].reminders.upcoming.$get({ ...unknown, query: {} }).then(async (answer) => (await answer.json()).followUp?.kind);

const refusal: unknown = await api.user[':id'].$patch({ param: { id: 'me' }, json: { timeZone: 'x' } }).catch((error) => error);

console.log(JSON.stringify({
  name: me.name, asked: asked.slice(0, 2), sizes, labels, members,
  history, agenda: agenda.occurrences.map((one) => one.notification), previewed, codes,
  all: (await (await api.investigation[':id'].cases.$get({ param })).json()).cases.length,
  code: refusal instanceof ProblemError && refusal.code === 'request.invalid',
}));

// @ts-expect-error: there is no such field
() => api.user.$post({ json: { nickname: 'x' } });
// @ts-expect-error: there is no such route
() => api.nothing.$get();
// @ts-expect-error: a cursor is text
() => api.investigation[':id'].cases.$get({ param, query: { cursor: [1, 'x'] } });
// @ts-expect-error: an answer has no such field
() => me.nickname;
`;

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: [],
  rootDir: '.',
};

/** For programs on Node without its types. */
const globals = 'declare const process: { argv: string[] };';

/** The ten lines of the client's README, as somebody pastes them. */
const [, tenLines = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('client/README.md', 'utf8')) ?? [];

/** The first program of docs/app-developers/first-hour.md, with the names that it leaves to its reader. */
const [, firstProgram = ''] =
  /```ts\n(import[\s\S]*?)```/.exec(readFileSync('docs/app-developers/first-hour.md', 'utf8')) ?? [];
const firstHour = `${firstProgram}
declare const baseUrl: string, study: string, survey: string, response: string, etag: string;
declare const auth: { accessToken(options: { refresh: boolean }): Promise<string> };
declare function show(members: readonly { name: string }[]): void;
declare function readAgain(): never;
export type Read = Survey;
`;

const main = `
import { review } from './readme.ts';
const [baseUrl = '', token = '', study = ''] = process.argv.slice(2);
console.log(JSON.stringify(await review(baseUrl, token, study)));
`;

/** An empty project outside of the repository, with the packed client, and a service whose pages may be elsewhere. */
let folder: string;
let service: Service;
let site: Server;
let origin: string;
beforeAll(async () => {
  execFileSync('npm', ['run', '--silent', 'build:client'], { stdio: 'pipe' });
  const { version } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  const tarball = resolve(`dist/fieldbell-client-${version}.tgz`);
  folder = await newFolder('deno', 'fieldbell-consumer-');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // Nothing else is asked for, so nobody needs the registry.
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball];
  execFileSync('npm', npm, { cwd: folder, stdio: 'pipe' });
  for (const [name, text] of Object.entries({
    program,
    readme: tenLines,
    main,
    globals,
    'first-hour': firstHour,
  }))
    writeFileSync(join(folder, name === 'globals' ? 'globals.d.ts' : `${name}.ts`), text);
  site = createServer(servePage).listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await open('node', { CORS_ORIGINS: origin });
});
afterAll(async () => {
  await service?.dispose();
  site?.close();
  rmSync(folder, { recursive: true });
});

function compile(options: object) {
  const config = { compilerOptions: { ...compilerOptions, ...options }, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync('tsc', ['-p', folder], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout));
  }
}

/** Somebody's study with two nights, of which one is locked. */
async function newStudy(subject: string) {
  const { auth } = newWorld(service);
  const token = await signToken(auth, subject);
  const { api } = createClient({ baseUrl: service.url, token: () => token });
  await api.user.$post({ json: { name: 'Dana' } });
  const param = {
    id: (await (await api.investigation.$post({ json: { name: 'Sleep' } })).json()).identifier,
  };
  const inStudy = api.investigation[':id'];
  const nights: string[] = [];
  for (const label of ['Night 1', 'Night 2'])
    nights.push((await (await inStudy.case.$post({ param, json: { label } })).json()).identifier);
  const cases = nights.slice(0, 1).map((identifier) => ({ identifier }));
  await inStudy['lock-items'].$post({ param, json: { cases, status: 'locked' } });
  return { token, study: param.id };
}

const reviewed = {
  locked: 1,
  code: 'item.locked',
  seen: ['study active', 'member active', 'case locked', 'case locked'],
};

test('the packed client brings nothing of the server, and needs no other package', () => {
  const installed = join(folder, 'node_modules');
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['@fieldbell']);
  const files = readdirSync(join(installed, '@fieldbell/client/dist'));
  expect(files).toContain('client.d.ts');
  for (const file of files) {
    const text = readFileSync(join(installed, '@fieldbell/client/dist', file), 'utf8');
    expect(text, file).not.toMatch(
      /drizzle|zod|cloudflare|(?:from|import\() ?['"](?!\.\/[\w-]+\.js['"])|\/app/,
    );
  }
});

test('its README is one screen, and its example ten lines', () => {
  expect(readFileSync('client/README.md', 'utf8').split('\n').length).toBeLessThan(50);
  const [, body = ''] = /\{\n([\s\S]*)\n\}\n$/.exec(tenLines) ?? [];
  expect(body.split('\n').length).toBeLessThanOrEqual(10);
});

test('an empty project compiles it strictly, its libraries too, for a bundler; so it does the first program of docs/app-developers/first-hour.md', () => {
  expect(firstProgram).toContain('createClient');
  compile({ module: 'ESNext', moduleResolution: 'Bundler', noEmit: true, allowImportingTsExtensions: true });
});

test('so it does for Node, and runs it through three pages, a lost answer and an expired token', async () => {
  const node = { module: 'NodeNext', moduleResolution: 'NodeNext', rewriteRelativeImportExtensions: true };
  compile({ ...node, outDir: 'out' });
  const { auth } = newWorld(service);
  const expired = await signToken(auth, 'ada', { expiresIn: -3600 });
  const fresh = await signToken(auth, 'ada');
  const run = (file: string, ...args: string[]) =>
    JSON.parse(execFileSync(process.execPath, [join(folder, file), ...args], { encoding: 'utf8' }));
  expect(run('out/program.js', service.url, expired, fresh)).toEqual({
    name: 'Ada',
    asked: [false, true],
    sizes: [2, 2, 1],
    labels: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'],
    members: ['Ada'],
    history: [],
    agenda: [],
    previewed: [0, 1],
    codes: Array(4).fill('resource.not-found'),
    all: 5,
    code: true,
  });
  const { token, study } = await newStudy('dana-node');
  expect(run('out/main.js', service.url, token, study)).toEqual(reviewed);
});

test('a Deno project checks its types and runs it', async () => {
  rmSync(join(folder, 'tsconfig.json'), { force: true });
  const { token, study } = await newStudy('dana-deno');
  const args = ['run', '--check', '--allow-net', 'main.ts', service.url, token, study];
  const env = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };
  const output = execFileSync(resolve('node_modules/.bin/deno'), args, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual(reviewed);
});

/** Two pages: one maps the name to the packed file, one has everything in a bundle. */
function servePage({ url = '' }: IncomingMessage, response: ServerResponse) {
  const module = (from: string) =>
    `<script type="module">import { review } from '${from}'; window.review = review</script>`;
  const map = '<script type="importmap">{"imports":{"@fieldbell/client":"/client.js"}}</script>';
  const pages: Record<string, () => string> = {
    '/map': () => map + module('/readme.js'),
    '/bundle': () => module('/bundle.js'),
    '/client.js': () => readFileSync(join(folder, 'node_modules/@fieldbell/client/dist/client.js'), 'utf8'),
    '/readme.js': () => transformSync(tenLines, { loader: 'ts' }).code,
    '/bundle.js': () => {
      const entryPoints = [join(folder, 'readme.ts')];
      return buildSync({ entryPoints, bundle: true, format: 'esm', write: false }).outputFiles[0]?.text ?? '';
    },
  };
  const page = pages[url];
  const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
  response.writeHead(page ? 200 : 404, { 'content-type': type }).end(page?.() ?? '');
}

const chromium = findChromium(process.env);
const lacksBrowser = chromium === undefined && !process.env.CI;

test.skipIf(lacksBrowser)('a page of another origin runs it, by an import map and in a bundle', async () => {
  const browser = await startBrowser(chromium ?? '');
  onTestFinished(() => browser.close());
  for (const path of ['map', 'bundle']) {
    const { token, study } = await newStudy(`dana-${path}`);
    const page = await browser.newPage();
    await page.goto(`${origin}/${path}`);
    await page.waitForFunction('window.review !== undefined');
    const call = `window.review(${[service.url, token, study].map((text) => JSON.stringify(text)).join()})`;
    expect(await page.evaluate(call), path).toEqual(reviewed);
  }
});
