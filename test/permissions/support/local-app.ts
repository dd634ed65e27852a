import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import type { BoundStatement } from '../../../src/db/database.ts';
import { openDatabase } from '../../../src/db/open-database.ts';
import { migrate } from '../../../src/platform/server/migrations.ts';
import { openSqlite } from '../../../src/platform/server/open-sqlite.ts';
import type { PushService, Services } from '../../../src/services.ts';
import { deliver, minutesOf } from '../../support/engine.ts';
import { readAnswer, type World } from '../../support/people.ts';

const dayMs = 24 * 3600 * 1000;

const push: PushService = {
  platforms: ['android', 'ios'],
  fits: () => true,
  register: async ({ token }) => ({ state: 'registered', endpoint: `endpoint-of-${token}` }),
  remove: async () => ({ state: 'removed' }),
  send: async () => ({ state: 'sent', messageId: 'message' }),
  check: async () => ({ state: 'enabled' }) as never,
  receive: async () => ({ state: 'off' }),
};

/**
 * The application over SQLite in memory, with a clock of its own and every push accepted. `rewrite` changes the text of
 * each statement, so that a fault can be planted in one of the rules that are written in SQL.
 */
export async function localApp() {
  const { client, close } = await openSqlite(':memory:');
  await migrate(client);
  const planted = { rewrite: (sql: string) => sql };
  const changed = ({ sql, values }: BoundStatement) => ({ sql: planted.rewrite(sql), values });
  const clock = { now: Math.ceil(Date.now() / dayMs) * dayMs + dayMs / 3 };
  const deferred: (() => Promise<void>)[] = [];
  const services: Services = {
    db: openDatabase({
      run: async (statement) => (await client.execute(changed(statement))).rows,
      batch: (statements) => client.batch(statements.map(changed)),
    }),
    push,
    alarms: { arm: async () => {}, deliver: async (user) => void (await deliver(services, user)) },
    defer: (work) => void deferred.push(work),
    webhooks: {
      faultOf: async () => null,
      call: async () => ({ status: 204 }),
      goOn: async () => {},
      maxCalls: 0,
      maxConcurrent: 0,
    },
    now: () => clock.now,
    pushesPerDay: Number.POSITIVE_INFINITY,
    records: { refused: false },
    log: (entry) => {
      if (entry.event.endsWith('failed')) console.log(JSON.stringify(entry));
    },
  };
  const env = parseEnv(readFileSync('.dev.vars.example', 'utf8'));
  const unlimited = { RATE_LIMIT_USER: '0', RATE_LIMIT_ADDRESS: '0', RATE_LIMIT_CODE: '0' };
  const app = createApp(services, readConfig({ ...env, ...unlimited, RATE_LIMIT_ENROL: '0' }));
  const { AUTH_ISSUER: issuer = '', AUTH_AUDIENCE: audience = '', AUTH_SECRET: secret = '' } = env;
  let people = 0;
  const world: World = {
    send: async (path, init) => readAnswer(await app.request(path, init)),
    auth: { issuer, audience, secret },
    subjectOf: (name) => `${name.toLowerCase().replaceAll(/\W/g, '-')}-${++people}`,
    snsUrl: '',
  };
  const minute = minutesOf();
  /** Does the work that was left for after the answers. */
  const settle = async () => {
    while (deferred.length > 0) await deferred.shift()?.();
  };
  return {
    app,
    world,
    client,
    clock,
    planted,
    close,
    settle,
    /** Carries out the minute after so many milliseconds, with all that is due in it. */
    async pass(ms: number) {
      await settle();
      clock.now += ms;
      await minute(services);
      await settle();
    },
  };
}

export type LocalApp = Awaited<ReturnType<typeof localApp>>;
