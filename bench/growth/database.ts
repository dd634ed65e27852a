import type { D1Database } from '@cloudflare/workers-types';
import { type Counts, countedD1 } from '../../tools/database/counted-d1.ts';
import { openLocalD1 } from '../../tools/database/local-d1.ts';
import { studyRows } from '../support/study-rows.ts';

/** A study in a local D1 in memory. */
export interface LoadedDatabase {
  /** Counts its operations in `counts`. */
  database: D1Database;
  counts: Counts;
  dispose(): Promise<void>;
}

/** Everyone's next reminder is due later on the day of `now`. */
export const times = {
  now: Date.parse('2027-03-01T08:00:00.000Z'),
  due: Date.parse('2027-03-01T20:00:00.000Z'),
  zone: 'Europe/Paris',
} as const;

/** Those of a page of members have a year of reminders behind them. */
const history = { members: 101, days: 366 };

/** With `size` members, responses and pending notifications. */
export async function loadDatabase(size: number): Promise<LoadedDatabase> {
  const { database, dispose } = await openLocalD1();
  try {
    const { now, due, zone } = times;
    const study = { study: 0, members: size, responses: size, reminders: { due, zone, history }, now };
    for (const statement of studyRows(study)) await database.prepare(statement).run();
    return { ...countedD1(database), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
