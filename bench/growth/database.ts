import type { D1Database } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { type Counts, countedD1 } from '../../dev/counted-d1.ts';
import { readMigrations } from '../../src/runtime/migrations.ts';
import { studyRows } from '../support/study-rows.ts';

/** A study of one size in a local D1 of its own, in memory. */
export interface LoadedDatabase {
  /** Counts what is asked of it. */
  database: D1Database;
  counts: Counts;
  dispose(): Promise<void>;
}

/** When the reminders of all members are due next: the day after `now`. */
export const times = {
  now: Date.parse('2027-03-01T08:00:00.000Z'),
  due: Date.parse('2027-03-01T20:00:00.000Z'),
  zone: 'Europe/Paris',
} as const;

/** As many members, responses and pending notifications as `size`. */
export async function loadDatabase(size: number, issuer: string): Promise<LoadedDatabase> {
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ persist: false });
  try {
    for (const { sql } of await readMigrations())
      await env.DB.batch(sql.split('--> statement-breakpoint').map((statement) => env.DB.prepare(statement)));
    const { now, due, zone } = times;
    const study = { issuer, study: 0, members: size, responses: size, reminders: { due, zone }, now };
    for (const statement of studyRows(study)) await env.DB.prepare(statement).run();
    return { ...countedD1(env.DB), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
