import type { D1Database } from '@cloudflare/workers-types';
import type { Driver, Session, SessionStart } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { d1Driver } from './d1-driver.ts';

type Work<T> = (session: Driver) => Promise<T>;

/**
 * A D1 session for one request. Reads begin at `bookmark`, or at any replica, and never go back. A request that writes
 * reads from the primary throughout, not only first: a replica that is behind would show it a state against which its
 * guarded write fails again and again.
 */
export function openD1Session(binding: D1Database, start: SessionStart): Session {
  let session = binding.withSession(
    start.writes ? 'first-primary' : (start.bookmark ?? 'first-unconstrained'),
  );
  let given = start.writes ? null : start.bookmark;
  let newest: string | null = null;

  async function ask<T>(work: Work<T>): Promise<T> {
    if (start.writes) session = binding.withSession('first-primary');
    try {
      return await work(d1Driver(session));
    } catch (error) {
      // A bookmark of the right form that this database never issued.
      if (given === null || !/bookmark/i.test(String(error))) throw error;
      given = null;
      session = binding.withSession('first-primary');
      return await work(d1Driver(session));
    } finally {
      const reached = session.getBookmark();
      // Bookmarks sort as text.
      if (reached !== null && (newest === null || reached > newest)) newest = reached;
    }
  }

  const db = openDatabase({
    run: (statement, spend) => ask((on) => on.run(statement, spend)),
    batch: (statements, spend) => ask((on) => on.batch(statements, spend)),
  });
  return { db, bookmark: () => newest };
}
