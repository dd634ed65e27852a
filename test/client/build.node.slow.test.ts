import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { open } from '../conformance/support/runtimes.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { signToken } from '../support/people.ts';

/** Somebody else's program: three pages, a retry after a lost answer, and a token that has expired. */
const program = `
import { createClient, newIdentifier, pages, ProblemError } from 'fieldbell/client';

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

/** An empty project outside of the repository, with the packed client. */
let folder: string;
beforeAll(() => {
  execFileSync(process.execPath, ['dev/build-client.ts'], { stdio: 'pipe' });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const tarball = resolve(`dist/fieldbell-${version}.tgz`);
  folder = mkdtempSync(join(tmpdir(), 'fieldbell-consumer-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const npm = ['install', '--no-audit', '--no-fund', '--silent', tarball];
  execFileSync('npm', npm, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'globals.d.ts'), globals);
});
afterAll(() => rmSync(folder, { recursive: true }));

function compile(options: object) {
  const config = { compilerOptions: { ...compilerOptions, ...options }, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync('tsc', ['-p', folder], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout));
  }
}

test('the packed client brings nothing of the server, and needs no other package than hono', () => {
  const read = (file: string) => readFileSync(join(folder, 'node_modules/fieldbell', file), 'utf8');
  expect(Object.keys(JSON.parse(read('package.json')).dependencies)).toEqual(['hono']);
  for (const file of ['client.js', 'client.d.ts', 'client-fetch.d.ts', 'errors.d.ts'])
    expect(read(file), file).not.toMatch(/drizzle|zod|cloudflare|\.ts['"]|\/app/);
});

test('an empty project compiles it strictly, its libraries too, for a bundler', () => {
  compile({ module: 'ESNext', moduleResolution: 'Bundler', noEmit: true });
});

test('so it does for Node, and runs it through three pages, a lost answer and an expired token', async () => {
  compile({ module: 'NodeNext', moduleResolution: 'NodeNext', outDir: 'out' });
  const service = await open('node');
  onTestFinished(() => service.dispose());
  const { auth } = newWorld(service);
  const expired = await signToken(auth, 'ada', { expiresIn: -3600 });
  const fresh = await signToken(auth, 'ada');
  const output = execFileSync(
    process.execPath,
    [join(folder, 'out/program.js'), service.url, expired, fresh],
    {
      encoding: 'utf8',
    },
  );
  expect(JSON.parse(output)).toEqual({
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
});
