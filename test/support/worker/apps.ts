import { env } from 'cloudflare:workers';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import type { LogEntry, PushService, Services } from '../../../src/services.ts';
import { type Answer, type Call, type Person, requestOf } from '../people.ts';
import { readChecked } from './contract.ts';

/**
 * An app of its own over the same database, as another isolate has it: nobody is remembered in it yet.
 * `services` replaces some of what it needs of the world.
 */
export function newApp(services: Partial<Services> = {}, auth = readConfig(env).auth) {
  const lines: LogEntry[] = [];
  const app = createApp(
    { ...createServices(env), log: (line) => lines.push(line), ...services },
    { ...readConfig(env), auth },
  );
  const send = async (path: string, call: Call = {}): Promise<Answer> =>
    readChecked(call.method ?? 'GET', path, await app.request(path, requestOf(call)));
  return { app, send, lines };
}

/** An app of its own with small limits, and what a person sends to it. */
export function small(limits: Partial<Record<`MAX_${string}`, string>>, services: Partial<Services> = {}) {
  const { limits: max, auth, participantSigningKeys } = readConfig({ ...env, ...limits });
  const config = { auth, participantSigningKeys, limits: max };
  const app = createApp({ ...createServices(env), log: () => {}, ...services }, config);
  return async (by: Person, path: string, body?: object, method = 'POST'): Promise<Answer> => {
    const call = requestOf({ method, token: by.token, body });
    return readChecked(method, path, await app.request(path, call));
  };
}

/** The calls that drizzle makes on a statement. */
interface Watched extends Pick<D1PreparedStatement, 'all' | 'raw' | 'run'> {
  bind: (...values: unknown[]) => Watched;
  query: string;
  inner: D1PreparedStatement;
}

/** The database, with `run` around whatever is put to it, and the SQL of each statement as `rewrite` has it. */
export function wrappedDb(
  run: <T>(queries: string[], answer: () => Promise<T>) => Promise<T>,
  rewrite = (query: string) => query,
) {
  const wrapped = (query: string, inner: D1PreparedStatement): Watched => ({
    query,
    inner,
    bind: (...values) => wrapped(query, inner.bind(...values)),
    all: <T>() => run([query], () => inner.all<T>()),
    raw: () => run([query], () => inner.raw()) as never,
    run: <T>() => run([query], () => inner.run<T>()),
  });
  const DB = {
    prepare: (query: string) => wrapped(query, env.DB.prepare(rewrite(query))),
    batch: (all: Watched[]) =>
      run(
        all.map(({ query }) => query),
        () => env.DB.batch(all.map(({ inner }) => inner)),
      ),
  } as unknown as D1Database;
  return createServices({ ...env, DB }).db;
}

/** A database that counts the statements put to it, and keeps the rows that it gave. */
export function watchedDb() {
  const watch = { statements: 0, rows: [] as unknown[] };
  const db = wrappedDb(async (queries, answer) => {
    watch.statements += queries.length;
    const rows = await answer();
    watch.rows.push(rows);
    return rows;
  });
  return { db, watch };
}

/** A database before whose first write something else happens. */
export function interruptedDb(meanwhile: () => Promise<unknown>) {
  let interrupted = false;
  return wrappedDb(async (queries, answer) => {
    if (!interrupted && queries.some((query) => /^(?:insert|update|delete)/i.test(query))) {
      interrupted = true;
      await meanwhile();
    }
    return answer();
  });
}

/** A relay that takes everything, and remembers nothing. */
export const easyPush: Partial<PushService> = {
  platforms: ['android', 'ios'],
  fits: () => true,
  register: async ({ token }) => ({
    state: 'registered',
    endpoint: `arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/test/${token}`,
  }),
  remove: async () => ({ state: 'removed' }),
  send: async () => ({ state: 'sent', messageId: 'message' }),
};
