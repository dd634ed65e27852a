import { tzRelease } from '../../src/schedule/zones.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Fault } from './scenario.ts';
import type { Server } from './server.ts';

/** The database after everyone was planned by the rules of this release, or of another. */
export const settleZones = (database: SimulatedDatabase, release = tzRelease) =>
  database.query("insert or replace into job_run (name, ran_at, after) values ('zones', 0, ?)", release);

/**
 * A version with newer rules takes over from one whose clocks in a zone were `minutes` behind: pending rows without
 * attempts, and alarms, are planned by the older rules.
 */
export async function upgradeZones(
  server: Server,
  database: SimulatedDatabase,
  now: number,
  { timeZone, minutes }: Extract<Fault, { what: 'zones' }>,
) {
  const shift = minutes * 60_000;
  const older = '2025b';
  await settleZones(database, older);
  await database.query(
    'update scheduled_notification set planned_from = replace(planned_from, ?, ?)',
    tzRelease,
    older,
  );
  const moved = await database.query(
    `update scheduled_notification set due_at = due_at + ?1, next_attempt_at = next_attempt_at + ?1
      where settled_at is null and attempts = 0 and time_zone = ?2 and due_at + ?1 > ?3 and response_end is null
      returning user_id`,
    shift,
    timeZone,
    now,
  );
  for (const user of new Set(moved.map((row) => String(row.user_id)))) {
    const [first] = await database.query(
      'select min(next_attempt_at) as at from scheduled_notification where settled_at is null and user_id = ?',
      user,
    );
    server.alarms.replace(user, Number(first?.at));
  }
}
