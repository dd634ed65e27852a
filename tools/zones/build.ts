import { findYearly } from './find-yearly.ts';
import { packageRelease, readPackage, source } from './package-zones.ts';
import { writeModule } from './write-zones.ts';

const yearMs = 365.25 * 86_400_000;

/**
 * The source text of src/schedule/tzdata.ts. `unruled` are the zones that still change their clocks in the last year of
 * the package's table, but by no yearly rule: their further changes are unknown.
 */
export function build(): { text: string; unruled: string[] } {
  const packageZones = readPackage();
  const end = Math.max(...packageZones.map(({ changes }) => changes.at(-1)?.at ?? 0));
  const zones = packageZones.map((zone) => ({ names: zone.names, ...findYearly(zone, end) }));
  const unruled = zones.filter(
    ({ changes, yearly }) => yearly === null && (changes.at(-1)?.at ?? 0) > end - yearMs,
  );
  return {
    text: writeModule(zones, packageRelease, source),
    unruled: unruled.map(({ names }) => String(names[0])),
  };
}
