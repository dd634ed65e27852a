import { rulesFrom } from '../../src/schedule/zone-rules.ts';
import { tzRelease, zoneNames } from '../../src/schedule/zones.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Fault } from './scenario.ts';
import type { Server } from './server.ts';

/** The database as it is when no upgrade of the zone rules is under way. */
export const settleZones = (database: SimulatedDatabase, now: number) =>
  writeZoneRules(database, now, tzRelease);

/**
 * A version with newer rules takes over from one whose clocks in a zone were `minutes` behind: what is pending there, and
 * was not attempted, is planned by the older rules, and so are the alarms.
 */
export async function upgradeZones(
  server: Server,
  database: SimulatedDatabase,
  now: number,
  { timeZone, minutes }: Extract<Fault, { what: 'zones' }>,
) {
  const shift = minutes * 60_000;
  await writeZoneRules(database, now, 'the older release', timeZone);
  const moved = await database.query(
    `update scheduled_notification set due_at = due_at + ?1, look_at = look_at + ?1, plan_basis = null
      where settled_at is null and attempts = 0 and time_zone = ?2 and due_at + ?1 > ?3 returning user_id`,
    shift,
    timeZone,
    now,
  );
  for (const user of new Set(moved.map((row) => String(row.user_id)))) {
    const [first] = await database.query(
      'select min(look_at) as at from scheduled_notification where settled_at is null and user_id = ?',
      user,
    );
    server.alarms.replace(user, Number(first?.at));
  }
}

async function writeZoneRules(
  database: SimulatedDatabase,
  since: number,
  release: string,
  changedZone?: string,
) {
  const rules = zoneNames.map((name) => [
    name,
    name === changedZone ? 'the older rules' : rulesFrom(name, since),
  ]);
  await database.query(
    'insert or replace into zone_rules (id, release, step, since, rules) values (1, ?, 1, ?, ?)',
    release,
    since,
    JSON.stringify(Object.fromEntries(rules)),
  );
}
