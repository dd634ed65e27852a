import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import SideBySide from './test/support/side-by-side.ts';
import { storeInMemory } from './test/support/storage-in-memory.ts';

/** Processes that tests start compile each file once for all runs, and find their modules quickly. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'fieldbell-compiled');
storeInMemory();
process.env.NODE_OPTIONS = [
  process.env.NODE_OPTIONS,
  `--import ${new URL('./test/support/quick-start.mjs', import.meta.url)}`,
]
  .filter(Boolean)
  .join(' ');

/**
 * Random draws of tests are the same for the same commit, so that a failed test fails again, and differ for the next
 * commit.
 */
const commit = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout ?? '';
const seed = Number(process.env.TEST_SEED ?? (Number.parseInt(commit.slice(0, 6), 16) || 1));

/** No promise about speed: many times the time on a busy machine, since waits within tests have no limit of their own. */
const patience = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 300_000 } },
};

/**
 * Imports of the Worker, as one module each: the runtime asks for every module over a socket, which took three seconds a
 * file. (cron-parser is CommonJS, which workerd does not load at all.)
 */
const bundled = [
  'aws4fetch',
  'canonicalize',
  'cron-parser',
  'drizzle-orm',
  'drizzle-orm/batch',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'hono',
  'hono/accepts',
  'hono/bearer-auth',
  'hono/body-limit',
  'hono/client',
  'hono/cors',
  'hono/etag',
  'hono/factory',
  'hono/html',
  'hono/http-exception',
  'hono/route',
  'hono/secure-headers',
  'hono/validator',
  'jose',
  'standardwebhooks',
  'uqr',
  'uuid',
  'zod',
];

/** Plain Node: pure code, the developer's tools, the rules of the house. */
const onNode = ['test/**/*.node.test.ts', 'test/**/*.node.slow.test.ts'];
/** Tests of CPU time: another process on the same core may double it. */
const alone = 'test/**/*.measured.slow.test.ts';

/**
 * By the front door of the Worker, in workerd with a real D1. One runtime serves many files, since starting one and
 * loading the Worker took longer than most files do; each file begins with an empty storage (see `setup.ts`).
 */
const workerd = {
  // The name by which examples import the client.
  resolve: { alias: { '@fieldbell/client': new URL('./client/client.ts', import.meta.url).pathname } },
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      // workerd reports connections that tests break on purpose.
      verbose: false,
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        // Vitest asks whether a debugger is there.
        compatibilityFlags: ['enable_nodejs_inspector_module'],
        bindings: {
          ...parseEnv(readFileSync('.dev.vars.example', 'utf8')),
          SNS_ENDPOINT: inject('sns'),
          WEB_PUSH_HOSTS: new URL(inject('sns')).host,
          // A test sends more than any client.
          RATE_LIMIT_USER: '0',
          RATE_LIMIT_ADDRESS: '0',
          RATE_LIMIT_CODE: '0',
          // The objects in which concurrent deliveries meet.
          DELIVERY_OBJECTS: '1',
          TEST_MIGRATIONS: await readD1Migrations('migrations'),
        },
      },
    })),
  ],
  test: {
    name: 'workerd',
    include: [
      'test/!(conformance|console|crash|participant)/**/!(*.node|*.node.slow|*.measured.slow).test.ts',
    ],
    globalSetup: ['test/support/worker/start-sns.ts', 'test/support/worker/start-contract.ts'],
    setupFiles: ['test/support/worker/setup.ts'],
    ...patience,
    isolate: false,
    maxWorkers: 2,
    deps: { optimizer: { ssr: { enabled: true, include: bundled } } },
  },
};

/**
 * After the files of the Worker, since a runtime passes only to a file of its own project. Four at once: many of these
 * wait for a process, or for the wall clock.
 */
const waiting = { maxWorkers: 4, sequence: { groupOrder: 1 } };

const node = {
  test: {
    name: 'node',
    // No `exclude`: it would replace the one of the command line, by which `npm test` leaves out slow files.
    include: onNode,
    globalSetup: ['test/support/moto.ts'],
    setupFiles: ['test/support/connections.ts', 'test/support/seeded-properties.ts'],
    ...patience,
    isolate: false,
    ...waiting,
  },
};

/** CPU time, when all else is over. */
const measured = {
  test: {
    name: 'measured',
    include: [alone],
    ...patience,
    maxWorkers: 1,
    sequence: { groupOrder: 2 },
  },
};

/** The three runtimes as child processes, by HTTP only. */
const conformance = {
  test: {
    name: 'conformance',
    include: ['test/conformance/**/*.test.ts'],
    globalSetup: ['test/conformance/support/bundle.ts'],
    setupFiles: ['test/support/connections.ts'],
    ...patience,
    isolate: false,
    maxConcurrency: 10,
    ...waiting,
  },
};

/**
 * On each runtime: tests that depend on the server of a page, and the journeys that depend on the service behind it.
 * The rest of a page, once it has its files, is the same on every runtime.
 */
const everywhere = 'test/{console/{served,sign-in,journeys},participant/{served,enrolment}}.slow.test.ts';

/** The study console and the participants' page in a browser, against the service on each runtime in a process of its own; on Node, all of it. */
const consoleOn = (runtime: 'workerd' | 'node' | 'deno') => ({
  test: {
    name: `console on ${runtime}`,
    include: [
      runtime === 'node' ? 'test/{console,participant}/**/!(*.node|*.node.slow).test.ts' : everywhere,
    ],
    provide: { runtime },
    globalSetup: [
      ...(runtime === 'workerd' ? ['test/conformance/support/bundle.ts'] : []),
      'test/console/support/build.ts',
      'test/console/support/start.ts',
    ],
    setupFiles: ['test/support/connections.ts'],
    ...patience,
    isolate: false,
    ...waiting,
  },
});

/** The process killed dozens of times, at moments that a seed decides. */
const crash = {
  test: {
    name: 'crash',
    include: ['test/crash/**/*.test.ts'],
    setupFiles: ['test/support/connections.ts'],
    ...patience,
    isolate: false,
    ...waiting,
  },
};

/*
 * `npm test` runs every file but `*.slow.test.ts`, `npm run test:slow` those alone: tests that wait for the wall clock,
 * repeat something thousands of times, or build packages.
 */
export default defineConfig({
  test: {
    projects: [
      workerd,
      node,
      conformance,
      consoleOn('node'),
      consoleOn('workerd'),
      consoleOn('deno'),
      crash,
      measured,
    ],
    // The log of a test is shown when it fails.
    silent: 'passed-only',
    onConsoleLog: (line) => !line.startsWith('{"event":"request"'),
    teardownTimeout: 120_000,
    provide: { seed, draws: Number(process.env.FIELDBELL_DRAWS ?? 1) },
    sequence: { sequencer: SideBySide },
    // One line per file.
    slowTestThreshold: 60_000,
  },
});
