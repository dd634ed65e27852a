import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** Real runtime, real D1: what goes in by the front door. Each file has its own storage. */
const worker = {
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: {
          ...parseEnv(readFileSync('.dev.vars.example', 'utf8')),
          SNS_ENDPOINT: inject('sns'),
          // A test sends more than any client.
          RATE_LIMIT_USER: '0',
          RATE_LIMIT_ADDRESS: '0',
          TEST_MIGRATIONS: await readD1Migrations('migrations'),
        },
        queueConsumers: { 'fieldbell-replan': { maxBatchTimeout: 0.05 } },
      },
    })),
  ],
  test: {
    name: 'worker',
    include: ['test/worker/**/*.test.ts'],
    globalSetup: ['test/worker/support/sns.ts', 'test/worker/support/contract-server.ts'],
    setupFiles: ['test/worker/support/setup.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
    // workerd cannot load what cron-parser requires until it is bundled.
    deps: { optimizer: { ssr: { enabled: true, include: ['cron-parser'] } } },
  },
};

/** Plain Node: pure code, the developer's tools, the rules of the house. */
const node = {
  test: {
    name: 'node',
    include: ['test/node/**/*.test.ts'],
    globalSetup: ['test/node/support/moto.ts'],
    setupFiles: ['test/connections.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
};

/** The three runtimes as child processes, by HTTP only: each file waits for the wall clock. */
const conformance = {
  test: {
    name: 'conformance',
    include: ['test/conformance/**/*.test.ts'],
    setupFiles: ['test/connections.ts'],
    testTimeout: 150_000,
    hookTimeout: 60_000,
    maxConcurrency: 10,
    maxWorkers: 3,
    // By itself: it waits for real minutes, and what else runs would make its servers late.
    sequence: { groupOrder: 1 },
  },
};

/** The process killed a hundred times, at moments that a seed decides. */
const crash = {
  test: {
    name: 'crash',
    include: ['test/crash/**/*.test.ts'],
    testTimeout: 400_000,
    sequence: { groupOrder: 2 },
  },
};

export default defineConfig({
  test: {
    projects: [worker, node, conformance, crash],
    // The worker's own log lines, one to a request.
    onConsoleLog: (line) => !/^\{"event":"(request|delivery|sweep|reconcile)"/.test(line),
  },
});
