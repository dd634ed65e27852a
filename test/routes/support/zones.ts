import { env } from 'cloudflare:workers';
import { rulesFrom } from '../../../src/schedule/zone-rules.ts';
import { tzRelease, zoneNames } from '../../../src/schedule/zones.ts';

/** The database as it is when no upgrade of the zone rules is under way. */
export const settleZones = () => writeZoneRules(tzRelease, {});

/** The database as an older release leaves it, whose clocks in these zones were so many minutes behind those of now. */
export async function plannedByOlderRelease(minutesBehind: Record<string, number>) {
  await writeZoneRules('2025b', minutesBehind);
  const shifts = Object.entries(minutesBehind).map(([zone, minutes]) =>
    env.DB.prepare(
      `update scheduled_notification set due_at = due_at + ?1, look_at = look_at + ?1, plan_basis = null
        where settled_at is null and time_zone = ?2`,
    ).bind(minutes * 60_000, zone),
  );
  if (shifts.length > 0) await env.DB.batch(shifts);
}

async function writeZoneRules(release: string, changed: Record<string, number>) {
  const since = Date.now();
  const rules = Object.fromEntries(
    zoneNames.map((name) => [name, name in changed ? 'the older rules' : rulesFrom(name, since)]),
  );
  await env.DB.prepare(
    'insert or replace into zone_rules (id, release, step, since, rules) values (1, ?, 1, ?, ?)',
  )
    .bind(release, since, JSON.stringify(rules))
    .run();
}

interface ZoneRules {
  release: string;
  step: number;
  since: number;
  rules: Record<string, string>;
  upgrade: { release: string; confirming: boolean; resumesAt: number; zones: string[] } | null;
}

export async function zoneRules(): Promise<ZoneRules | null> {
  const row = await env.DB.prepare('select * from zone_rules').first<
    Omit<ZoneRules, 'rules' | 'upgrade'> & { rules: string; upgrade: string | null }
  >();
  return row && { ...row, rules: JSON.parse(row.rules), upgrade: JSON.parse(row.upgrade ?? 'null') };
}
