import { env } from 'cloudflare:workers';
import { tzRelease } from '../../../src/schedule/zones.ts';

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
  const asPlanned = "update scheduled_notification set planned_from = replace(planned_from, ?, '2025b')";
  await env.DB.batch([
    env.DB.prepare(asPlanned).bind(tzRelease),
    ...Object.entries(minutesBehind).map(([zone, minutes]) =>
      env.DB.prepare(
        `update scheduled_notification set due_at = due_at + ?1, next_attempt_at = next_attempt_at + ?1
          where settled_at is null and time_zone = ?2`,
      ).bind(minutes * 60_000, zone),
    ),
  ]);
}
