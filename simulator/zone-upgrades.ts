import { tzRelease } from '../src/schedule/zones.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Fault } from './scenario.ts';
import type { Server } from './server.ts';

/** The database after everyone was planned by the rules of this release, or of another. */
export const settleZones = (database: SimulatedDatabase, release = tzRelease) =>
  database.query("insert or replace into job_run (name, ran_at, after) values ('zones', 0, ?)", release);

/**
 * A version with newer rules takes over from one whose clocks in a zone were `minutes` behind: cursors before a date
 * whose push has not been tried, and alarms, are planned by the older rules.
 */
export async function upgradeZones(
  server: Server,
  database: SimulatedDatabase,
  now: number,
  { timeZone, minutes }: Extract<Fault, { what: 'zones' }>,
) {
  const shift = minutes * 60_000;
  await settleZones(database, '2025b');
  const moved = await database.query(
    `update scheduled_notification as c set due_at = due_at + ?1, attempt_at = attempt_at + ?1,
        next_at = iif(next_at = attempt_at, min(next_at + ?1, coalesce(again_at, 9e15), coalesce(retry_at, 9e15)), next_at)
      where id is not null and time_zone = ?2 and due_at + ?1 > ?3 and length(occurrence) <= 14
        and not exists (select 1 from notification n where n.id = c.id and n.state = 'sending')
      returning user_id`,
    shift,
    timeZone,
    now,
  );
  for (const user of new Set(moved.map((row) => String(row.user_id)))) {
    const [first] = await database.query(
      'select min(next_at) as at from scheduled_notification where user_id = ?',
      user,
    );
    server.alarms.replace(user, Number(first?.at));
  }
}
