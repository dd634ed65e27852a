import { env } from 'cloudflare:workers';
import { tzRelease } from '../../../src/schedule/zones.ts';
import { delayScheduled } from '../reminder-rows.ts';
import { minutes } from './clock.ts';
import { carryOut } from './reminder-tables.ts';

/** The database as it is when everyone was planned by the rules of this release, or of another. */
export const settleZones = (release = tzRelease) =>
  env.DB.prepare("insert or replace into job_run (name, ran_at, after) values ('zones', 0, ?)")
    .bind(release)
    .run();

/** The release that everyone was planned by. */
export const settledZones = () =>
  env.DB.prepare("select after from job_run where name = 'zones'").first('after');

/** The database as an older release leaves it, whose clocks in these zones were this many minutes behind those of now. */
export async function plannedByOlderRelease(minutesBehind: Record<string, number>) {
  await settleZones('2025b');
  await carryOut(
    ...Object.entries(minutesBehind).map(([zone, behind]) => delayScheduled(zone, behind * minutes)),
  );
}
