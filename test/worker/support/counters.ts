import { env } from 'cloudflare:workers';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createServices } from '../../../src/runtime/cloudflare.ts';
import { openD1 } from '../../../src/runtime/d1.ts';
import type { Services } from '../../../src/services.ts';
import type { Answer, Person } from './people.ts';

export interface Counts {
  /** Calls of the database: a statement run alone, or a batch. */
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
  statements: string[];
}

const inner = Symbol('statement');
type Counted = D1PreparedStatement & { [inner]: D1PreparedStatement };

/** D1 with its own counters added up: `counts` grows with each call. */
export function countedD1(binding: D1Database) {
  const counts: Counts = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, statements: [] };
  const add = ({ meta }: D1Result) => {
    counts.rowsRead += meta.rows_read;
    counts.rowsWritten += meta.rows_written;
  };

  const wrap = (
    statement: D1PreparedStatement,
    prepare: () => D1PreparedStatement,
    text: string,
  ): Counted => {
    const all = async () => {
      counts.roundTrips += 1;
      counts.statements.push(text);
      const result = await statement.all<Record<string, unknown>>();
      add(result);
      return result;
    };
    return {
      [inner]: statement,
      bind: (...values: unknown[]) => wrap(statement.bind(...values), () => prepare().bind(...values), text),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
      // `raw` gives no counters, and `all` loses columns of the same name. A subquery tells them apart: `id`, `id:1`.
      raw: async () => {
        counts.roundTrips += 1;
        counts.statements.push(text);
        const result = await prepare().all<Record<string, unknown>>();
        add(result);
        return result.results.map((row) => Object.values(row));
      },
    } as unknown as Counted;
  };

  const prepare = (text: string) => {
    const distinct = /^\s*select\b/i.test(text) ? `select * from (${text})` : text;
    return wrap(binding.prepare(text), () => binding.prepare(distinct), text);
  };
  const batch = async (statements: Counted[]) => {
    counts.roundTrips += 1;
    const results = await binding.batch(statements.map((statement) => statement[inner]));
    results.forEach(add);
    return results;
  };
  const database = {
    prepare,
    batch,
    exec: forbidden,
    dump: forbidden,
    withSession: () => database,
    getBookmark: () => null,
  };
  return { counts, database: database as unknown as D1Database };
}

const forbidden = () => {
  throw new Error('not counted');
};

/**
 * The application over counted D1. `measure` sends one request twice, so that the caller is known to the second,
 * and tells what that one cost; a request that writes is sent once, after a GET by the same person.
 */
export function countedApp(change: (services: Services) => Services = (services) => services) {
  const { counts, database } = countedD1(env.DB);
  const services = { ...createServices(env), db: openD1(database), log: () => {} };
  const app = createApp(change(services), { auth: readConfig(env).auth });

  const request = (person: Person, method: string, path: string, body?: unknown, headers = {}) =>
    app.request(`https://fieldbell.test${path}`, {
      method,
      headers: {
        authorization: `Bearer ${person.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  async function measure(person: Person, method: string, path: string, body?: unknown, headers = {}) {
    await request(person, 'GET', '/user/me');
    const before = { ...counts, statements: counts.statements.length };
    const response = await request(person, method, path, body, headers);
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json');
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    };
    return {
      answer,
      roundTrips: counts.roundTrips - before.roundTrips,
      rowsRead: counts.rowsRead - before.rowsRead,
      rowsWritten: counts.rowsWritten - before.rowsWritten,
    };
  }

  return { app, counts, request, measure };
}
