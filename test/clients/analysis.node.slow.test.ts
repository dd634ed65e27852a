import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvRow, utf8Mark } from '../../src/http/lists/csv.ts';
import { type Caller, signIn } from '../../tools/demo/api.ts';
import { type OwnService, startOwnService } from '../../tools/demo/own-service.ts';
import { demoStudy } from '../../tools/demo/study.ts';
import { choice, choices, item, option } from '../support/items.ts';

/*
 * The packages for Python and R, installed from their folders, run their own tests against a service with the demo study.
 * PYTHON names another interpreter than python3: pandas and matplotlib are used where it has them.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

const python = process.env.PYTHON || 'python3';
const lacks = (command: string, args: string[]) => spawnSync(command, args).status !== 0;

/** Why tests cannot run here, if they cannot. */
const noPython = lacks(python, ['-c', 'import sys; assert sys.version_info >= (3, 9)'])
  ? 'skipped: there is no Python 3.9'
  : lacks(python, ['-c', 'import setuptools; assert int(setuptools.__version__.split(".")[0]) >= 61'])
    ? 'skipped: Python has no setuptools 61'
    : '';
/** Later versions of setuptools have their own. */
const noWheels =
  noPython ||
  (lacks(python, [
    '-c',
    'import pip\ntry: import wheel\nexcept ImportError: import setuptools.command.bdist_wheel',
  ])
    ? 'skipped: Python has no pip that builds wheels'
    : '');
const noPlots =
  noPython || (lacks(python, ['-c', 'import pandas, matplotlib']) ? 'skipped: no pandas and matplotlib' : '');
const noR = lacks('Rscript', ['-e', 'library(curl); library(jsonlite)'])
  ? 'skipped: there is no R with curl and jsonlite'
  : '';

/** A test whose title says why it is skipped. */
const testUnless = (reason: string, name: string, run: () => Promise<unknown>) =>
  reason ? test.skip(`${name} (${reason})`, run) : test(name, run);

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

let folder: string;
let service: OwnService;
let faulty: Server;
let study: string;
/** A case that is moved to another site, and whether it is there. */
let moved: string | undefined;
let isAway = false;
/** Facts of the study, which the packages' tests read from a file. */
let expected: Body;
/** The environment of the packages' tests. */
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbell-clients-'));
  service = await startOwnService((file, settings) =>
    promisify(execFile)(process.execPath, ['tools/demo/bundled.mjs', file], {
      env: { ...process.env, ...settings },
    }),
  );
  const ada = await signIn({ ...service, signal: new AbortController().signal }, demoStudy.people.owner);
  study = (await ada.call<Body>('GET', '/investigation')).investigations[0].identifier;
  const expiresAt = new Date(Date.now() + 3600_000).toISOString();
  const { token } = await ada.call<Body>('POST', `/investigation/${study}/token`, {
    label: 'Tests',
    expiresAt,
  });
  const scoped = { label: 'Tests of Lyon', expiresAt, scope: { site: ['Lyon'] } };
  const { token: tokenOfLyon } = await ada.call<Body>('POST', `/investigation/${study}/token`, scoped);
  await endReminders(ada);
  expected = { ...(await answerEachKind(ada)), ...(await factsOf(ada)) };
  await writeFile(join(folder, 'expected.json'), JSON.stringify(expected));
  faulty = createFaulty(service.url, () => move(ada)).listen(0, '127.0.0.1');
  await once(faulty, 'listening');
  env = {
    ...process.env,
    FIELDBELL_URL: service.url,
    FIELDBELL_FAULTY_URL: `http://127.0.0.1:${(faulty.address() as AddressInfo).port}`,
    FIELDBELL_STUDY: study,
    FIELDBELL_TOKEN: token,
    FIELDBELL_TOKEN_OF_LYON: tokenOfLyon,
    FIELDBELL_EXPECTED: join(folder, 'expected.json'),
  };
  // Builds leave files in the folder of a package.
  await cp('clients', folder, { recursive: true, filter: (path) => !/__pycache__|egg-info/.test(path) });
});
afterAll(async () => {
  faulty?.close();
  await service?.end();
  await rm(folder, { recursive: true, force: true });
});

/** From now on nobody is reminded, so that each reading has the same occurrences. */
async function endReminders(ada: Caller) {
  const { surveys } = await ada.call<Body>('GET', `/investigation/${study}/surveys`);
  for (const { identifier, reminders } of surveys)
    if (reminders) await ada.call('PATCH', `/survey/${identifier}`, { reminders: null });
}

const kinds = (badly: string) => [
  item('sleep', choice(option('well', 'Well'), option('badly', badly)), 'How did you sleep?'),
  item('hours', { kind: 'number' }, 'How many hours?'),
  item('kept', choices(option('noise', 'Noise'), option('light', 'Light; sun')), 'What kept you awake?'),
  item('better', { kind: 'yes-no' }, 'Was it better?'),
  item('day', { kind: 'date' }, 'Which day?'),
  item('bedtime', { kind: 'time' }, 'When did you go to bed?'),
  item('notes', undefined, 'Anything else?'),
];

/** A survey that is answered, worded anew, and answered again. */
async function answerEachKind(ada: Caller) {
  const surveyName = 'Each kind of item';
  const created = { name: surveyName, items: kinds('Badly') };
  const { identifier: survey } = await ada.call<Body>('POST', `/investigation/${study}/survey`, created);
  const { cases } = await ada.call<Body>('GET', `/investigation/${study}/cases?limit=1`);
  const answer = async (items: object) => {
    const response = { case: cases[0].identifier, items };
    const { uri } = await ada.call<Body>('POST', `/survey/${survey}/response`, response);
    return uri.split('/').at(-1);
  };
  const items = { hours: '7.5', kept: 'noise light', better: 'yes', day: '2026-03-04', bedtime: '23:10' };
  const before = await answer({ sleep: 'badly', notes: '0012', ...items });
  await ada.call('PATCH', `/survey/${survey}`, { items: kinds('Not well') });
  const after = await answer({ sleep: 'badly', notes: '' });
  return {
    survey,
    surveyName,
    labels: { [before]: 'Badly', [after]: 'Not well' },
    values: { [before]: 'badly', [after]: 'badly' },
  };
}

/** Facts of the study, by the JSON of the API. */
async function factsOf(ada: Caller) {
  const list = async (name: string) => (await ada.call<Body>('GET', `/investigation/${study}/${name}`))[name];
  const occurrences: Body[] = await list('occurrences');
  const missed = missedBy(occurrences);
  expect(Object.keys(missed).length).toBeGreaterThan(15);
  const identifiers = (rows: Body[]) => rows.map(({ identifier }) => identifier);
  const ofLyon = (rows: Body[]) => identifiers(rows.filter(({ properties }) => properties?.site === 'Lyon'));
  const lyon = { occurrences: ofLyon(occurrences), responses: ofLyon(await list('responses')) };
  for (const name of ['occurrences', 'responses'] as const) expect(lyon[name].length).toBeGreaterThan(15);
  return {
    lyon,
    occurrences: identifiers(occurrences),
    on: occurrences[100].on,
    missed,
    responses: identifiers(await list('responses')),
    diary: (await list('surveys')).find(({ name }: Body) => name === demoStudy.surveys.diary.name).identifier,
  };
}

/** Moves a case with responses from Lyon to Paris, and the next time back. */
async function move(ada: Caller) {
  const ofLyon = async (): Promise<Body> =>
    (await ada.call<Body>('GET', `/investigation/${study}/responses?property=site:Lyon`)).responses[0].case;
  moved ??= await ofLyon();
  isAway = !isAway;
  await ada.call('PATCH', `/case/${moved}`, { properties: { site: isAway ? 'Paris' : 'Lyon' } });
}

/** The number of prompts that each person missed by the hour of their day. */
function missedBy(occurrences: Body[]) {
  const missed: Record<string, number> = {};
  for (const { user, state, answeredAt, dueAt, timeZone } of occurrences) {
    if (state !== 'sent' || answeredAt !== null) continue;
    const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone });
    const key = `${user} ${Number(hour.format(new Date(dueAt)))}`;
    missed[key] = (missed[key] ?? 0) + 1;
  }
  return missed;
}

/**
 * The service behind faults: below `/busy` each path is refused once, and below `/cut` responses end early. `/move` moves a case
 * to another site.
 */
function createFaulty(url: string, move: () => Promise<void>) {
  const refused = new Set<string>();
  return createServer(async ({ url: asked = '', headers }, response) => {
    if (asked === '/move') {
      await move();
      response.end('moved');
      return;
    }
    const [, fault, path = ''] = /^\/(busy|cut)(\/.*)$/.exec(asked) ?? [];
    if (fault === 'busy' && !refused.has(path)) {
      refused.add(path);
      response.writeHead(503, { 'retry-after': '0' }).end();
      return;
    }
    const { accept = '', authorization = '' } = headers;
    const answer = await fetch(url + path, { headers: { accept, authorization } });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    const body = Buffer.from(await answer.arrayBuffer());
    if (fault !== 'cut' || !path.includes('/responses')) response.end(body);
    else response.write(body.subarray(0, 20_000), () => response.destroy());
  });
}

/** Runs a command of a package. @throws with its output when it fails */
async function run(command: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}) {
  const ran = await promisify(execFile)(command, args, {
    cwd: join(folder, cwd),
    // R reads its scripts in the encoding of the locale.
    env: { ...env, LC_ALL: 'C.UTF-8', ...more },
    maxBuffer: 1e8,
  }).catch((error) => error);
  if (ran instanceof Error) throw new Error(`${ran.message}\n${'stdout' in ran ? ran.stdout : ''}`);
  return `${ran.stdout}${ran.stderr}`;
}

/** The first lines of code in a README, with the service and the study of these tests. */
async function linesOf(language: string, path: string) {
  const [, lines = ''] = (await readFile(join(folder, path), 'utf8')).split(`\`\`\`${language}\n`);
  const [code = ''] = lines.split('```');
  const own = code
    .replace(/https:\/\/fieldbell\.example\.org/, service.url)
    .replace(/\b[0-9a-f]{32}\b/, study);
  expect(own).not.toBe(code);
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(15);
  return own;
}

describe('the package for Python', () => {
  const installed = () => ({ PYTHONPATH: join(folder, 'installed'), MPLBACKEND: 'Agg' });

  testUnless(noPython, 'builds, compiles, and passes its own tests against the service', async () => {
    const setup = 'import setuptools; setuptools.setup()';
    const build = ['egg_info', '--egg-base', '../installed', 'build', '--build-lib', '../installed'];
    await mkdir(join(folder, 'installed'));
    await run(python, ['-c', setup, '-q', ...build], 'python');
    await run(python, ['-W', 'error', '-m', 'compileall', '-q', 'installed/fieldbell'], '.');
    await expectVersion(installed());
    // Beside the package, so that the installed one is tested.
    await cp(join(folder, 'python/tests'), join(folder, 'python-tests/tests'), { recursive: true });
    const output = await run(python, ['-W', 'error', '-m', 'unittest', '-v'], 'python-tests', installed());
    expect(output).toMatch(/^Ran [1-9][0-9]+ tests/m);
    expect(output).not.toMatch(/skipped '(?!pandas)/);
  });

  testUnless(noWheels, 'installs with pip', async () => {
    const offline = ['--no-build-isolation', '--no-deps', '--no-index', '--disable-pip-version-check'];
    await run(python, ['-m', 'pip', 'install', '-q', ...offline, '--target', 'by-pip', './python'], '.');
    await expectVersion({ PYTHONPATH: join(folder, 'by-pip') });
  });

  async function expectVersion(path: NodeJS.ProcessEnv) {
    const versions =
      'import importlib.metadata as m, fieldbell; print(m.version("fieldbell"), fieldbell.__version__, fieldbell.__file__)';
    const output = await run(python, ['-c', versions], '.', path);
    expect(output).toContain(`${version} ${version} ${path.PYTHONPATH}`);
  }

  testUnless(noPlots, 'draws adherence by the lines of its page', async () => {
    await writeFile(join(folder, 'adherence.py'), await linesOf('python', 'python/README.md'));
    await run(python, ['adherence.py'], '.', { ...installed(), PYTHONPATH: join(folder, 'python') });
    expect(existsSync(join(folder, 'adherence.png'))).toBe(true);
  });
});

describe('the package for R', () => {
  const installed = () => ({ R_LIBS: join(folder, 'installed-r') });

  beforeAll(async () => {
    if (noR) return;
    await mkdir(join(folder, 'installed-r'));
    await run('R', ['CMD', 'INSTALL', '-l', 'installed-r', './r'], '.');
  });

  testUnless(noR, 'installs, and passes its own tests against the service', async () => {
    for (const name of ['tables.R', 'study.R']) {
      const output = await run('Rscript', [name], 'r/tests', installed());
      expect(output).not.toMatch(/Skipped/);
    }
  });

  testUnless(noR, 'draws adherence by the lines of its page', async () => {
    await writeFile(join(folder, 'r/adherence.R'), await linesOf('r', 'r/README.md'));
    await run('Rscript', ['adherence.R'], 'r', installed());
    expect(existsSync(join(folder, 'r/adherence.png'))).toBe(true);
    await rm(join(folder, 'r/adherence.png'));
    await rm(join(folder, 'r/adherence.R'));
  });

  testUnless(noR, 'is not needed to read a file: the lines of the guide give back each text', async () => {
    const texts = [
      ...[
        '0012',
        '1E5',
        '3-4',
        '-2.5',
        '- headache',
        '=1+1',
        '+4915112345678',
        '@home',
        '＝1',
        "it's",
        "'quoted'",
      ],
      ...[
        '  =1',
        '\t=1',
        'a;=b',
        'a; "-x',
        'a;\n@b',
        'a\t+b',
        "a;'b",
        'a;-5',
        'a;-5;-x',
        '\tx',
        'NA',
        '"',
        'é;=é',
      ],
    ];
    await writeFile(
      join(folder, 'r/responses.csv'),
      utf8Mark + [['text'], ...texts.map((text) => [text])].map(csvRow).join(''),
    );
    const [, code = ''] =
      /```r\n(file <- [\s\S]*?)```/.exec(await readFile('docs/data-managers.md', 'utf8')) ?? [];
    await writeFile(join(folder, 'r/plain.R'), `${code}\njsonlite::write_json(file$text, "plain.json")\n`);
    await run('Rscript', ['plain.R'], 'r');
    expect(JSON.parse(await readFile(join(folder, 'r/plain.json'), 'utf8'))).toEqual(texts);
    for (const name of ['responses.csv', 'plain.R', 'plain.json']) await rm(join(folder, 'r', name));
  });

  testUnless(noR, 'has no errors and no warnings of R CMD check', async () => {
    await run('R', ['CMD', 'build', '--no-build-vignettes', 'r'], '.');
    const check = ['CMD', 'check', '--no-manual', '--no-build-vignettes', `fieldbell_${version}.tar.gz`];
    expect(await run('R', check, '.', { FIELDBELL_URL: '' })).toMatch(/^Status: (?:OK|[0-9]+ NOTEs?)$/m);
  });
});

describe('npm run replicate', () => {
  test('keeps a copy with the token of a program, and writes it as Parquet', async () => {
    const replicate = () =>
      promisify(execFile)(
        process.execPath,
        [
          'tools/replicate/main.ts',
          study,
          '--url',
          service.url,
          '--file',
          join(folder, 'copy.db'),
          '--parquet',
          join(folder, 'parquet'),
        ],
        { env: { ...process.env, REPLICATE_TOKEN: env.FIELDBELL_TOKEN } },
      );
    expect((await replicate()).stdout).toContain(`${expected.occurrences.length} prompts that are over`);
    expect((await replicate()).stdout).toMatch(/^0 changes/);
    const rows = async (name: string) =>
      parquetReadObjects({ file: await asyncBufferFromFile(join(folder, `parquet/${name}.parquet`)) });
    const occurrences = await rows('occurrences');
    expect(occurrences.map(({ identifier }) => identifier)).toEqual(expected.occurrences);
    expect(missedBy(occurrences)).toEqual(expected.missed);
    const responses = await rows('responses');
    expect(new Set(responses.map(({ identifier }) => identifier))).toEqual(new Set(expected.responses));
    const [answered] = responses.filter(
      ({ survey, ...row }) => survey === expected.survey && row['items.hours'],
    );
    expect(answered).toMatchObject({
      'items.hours': 7.5,
      'items.better': true,
      'items.day': new Date('2026-03-04'),
      'items.notes': '0012',
    });
  });
});
