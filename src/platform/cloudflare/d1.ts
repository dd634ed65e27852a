import type { D1Database } from '@cloudflare/workers-types';
import type { Database, SessionStart } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { d1Driver } from './d1-driver.ts';
import { openD1Session } from './d1-sessions.ts';

/** The application's database over a D1 binding. By default it asks the primary; a session may ask replicas. */
export function openD1(binding: D1Database): Database {
  const database = openDatabase(d1Driver(binding));
  if (typeof binding.withSession !== 'function') return database;
  return Object.assign(database, { openSession: (start: SessionStart) => openD1Session(binding, start) });
}
