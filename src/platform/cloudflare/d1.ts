import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import type { Database, Session, SessionStart } from '../../db/database.ts';
import { compiledOnce } from '../../db/limit.ts';
import { openD1Session } from './d1-sessions.ts';

/** The application's database over a D1 binding. By itself it asks the primary; a session may ask replicas. */
export function openD1(binding: D1Database): Database {
  const database = drizzle({
    prepare: (sql: string) => binding.prepare(compiledOnce(sql)),
    batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
  } as D1Database);
  if (typeof binding.withSession !== 'function') return database;
  const openSession = (start: SessionStart): Session => {
    const session = openD1Session(binding, start);
    return { db: drizzle(session.database), bookmark: session.bookmark };
  };
  return Object.assign(database, { openSession });
}
