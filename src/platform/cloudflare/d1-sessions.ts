import type { D1Database, D1DatabaseSession, D1PreparedStatement } from '@cloudflare/workers-types';
import { compiledOnce } from '../../db/limit.ts';

type Work<T> = (session: D1DatabaseSession) => Promise<T>;

/**
 * A D1 session for one request, shaped like the binding that drizzle expects. Reads begin where `bookmark` says, or at any
 * replica, and never go back. A request that writes asks the primary each time, not only first: a replica that is behind
 * would show it a state against which its guarded write fails again and again.
 */
export function openD1Session(binding: D1Database, start: { bookmark: string | null; writes: boolean }) {
  let session = binding.withSession(
    start.writes ? 'first-primary' : (start.bookmark ?? 'first-unconstrained'),
  );
  let given = start.writes ? null : start.bookmark;
  let newest: string | null = null;

  async function ask<T>(work: Work<T>): Promise<T> {
    if (start.writes) session = binding.withSession('first-primary');
    try {
      return await work(session);
    } catch (error) {
      // A bookmark of the right form that this database never issued.
      if (given === null || !/bookmark/i.test(String(error))) throw error;
      given = null;
      session = binding.withSession('first-primary');
      return await work(session);
    } finally {
      const reached = session.getBookmark();
      // Bookmarks sort as text.
      if (reached !== null && (newest === null || reached > newest)) newest = reached;
    }
  }

  const statement = (sql: string, values: unknown[]): Statement => {
    const bound = (on: D1DatabaseSession) => on.prepare(compiledOnce(sql)).bind(...values);
    return {
      bound,
      bind: (...given) => statement(sql, given),
      all: () => ask((on) => bound(on).all()),
      run: () => ask((on) => bound(on).run()),
      raw: () => ask((on) => bound(on).raw()),
    };
  };
  const database = {
    prepare: (sql: string) => statement(sql, []),
    batch: (statements: Statement[]) => ask((on) => on.batch(statements.map(({ bound }) => bound(on)))),
  };
  return { database: database as unknown as D1Database, bookmark: () => newest };
}

/** A statement that belongs to no session until it runs: what drizzle asks of one, and no more. */
interface Statement {
  bound(on: D1DatabaseSession): D1PreparedStatement;
  bind(...values: unknown[]): Statement;
  all(): Promise<unknown>;
  run(): Promise<unknown>;
  raw(): Promise<unknown>;
}
