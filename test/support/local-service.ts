import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { createServices } from '../../src/platform/server/services.ts';
import type { Services } from '../../src/services.ts';
import { readAnswer, type World } from './people.ts';

/** The service as Node runs it, over a file, in this process: its computing time and delays can be measured. */
export async function localService(
  variables: Record<string, string> = {},
  change: (services: Services) => Services = (services) => services,
) {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-local-'));
  const path = join(folder, 'fieldbell.db');
  const env = parseEnv(readFileSync('.dev.vars.example', 'utf8'));
  const config = readConfig({
    ...env,
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_CODE: '0',
    RATE_LIMIT_ENROL: '0',
    ...variables,
  });
  const database = await openSqlite(path);
  await migrate(database.client);
  const services = change(createServices(database, config, () => {}).services);
  const app = createApp(services, config);
  const { AUTH_ISSUER: issuer = '', AUTH_AUDIENCE: audience = '', AUTH_SECRET: secret = '' } = env;
  const world: World = {
    send: async (path, init) => readAnswer(await app.request(path, init)),
    auth: { issuer, audience, secret },
    subjectOf: (name) => `${name.toLowerCase().replaceAll(/\W/g, '-')}-${crypto.randomUUID()}`,
    snsUrl: '',
  };
  return {
    app,
    world,
    path,
    services,
    client: database.client,
    async dispose() {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type LocalService = Awaited<ReturnType<typeof localService>>;

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Does something, and finds the most CPU (ms) that was spent meanwhile before anything else had a turn. */
export async function longestTurn<T>(work: () => Promise<T>) {
  let longest = 0;
  let ended = false;
  const watching = (async () => {
    while (!ended) longest = Math.max(longest, (await cpuOf(tick)).cpu);
  })();
  await tick();
  const result = await work();
  await tick();
  ended = true;
  await watching;
  return { result, longest };
}

/** CPU (ms) of this process while something is done. */
export async function cpuOf<T>(work: () => Promise<T>) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpu: (user + system) / 1000 };
}

/** The time of one plain read (ms of CPU): the unit for others, on any machine. */
export async function plainRead(read: () => Promise<unknown>, times = 200) {
  for (let n = 0; n < 50; n++) await read();
  const { cpu } = await cpuOf(async () => {
    for (let n = 0; n < times; n++) await read();
  });
  return cpu / times;
}
