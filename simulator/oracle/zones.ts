import { createRequire } from 'node:module';
import type momentTimezone from 'moment-timezone';
import { tzRelease } from '../../src/schedule/zones.ts';
import { offsetByZoneFile, zoneFilesRelease } from './zone-files.ts';

/**
 * Clocks of zones from sources other than Fieldbell, of the same release of the tz database: the machine's compiled zone
 * files or, if those are of another release, the calculation of moment-timezone.
 */
export const oracle = chooseOracle();

interface Oracle {
  name: string;
  readsZoneFiles: boolean;
  /** Milliseconds east of Greenwich at an instant (epoch ms). */
  offsetAt: (at: number, zone: string) => number;
}

function chooseOracle(): Oracle {
  const release = zoneFilesRelease();
  if (release === tzRelease) {
    return { name: `the zone files of ${release}`, readsZoneFiles: true, offsetAt: offsetByZoneFile };
  }
  const name = `moment-timezone, as this machine has zone files of ${release ?? 'no known release'}, not ${tzRelease}`;
  return { name, readsZoneFiles: false, offsetAt: offsetByPackage() };
}

/** moment-timezone's own calculation, which shares no code with the source of Fieldbell's table. */
export function offsetByPackage(): Oracle['offsetAt'] {
  const { tz }: typeof momentTimezone = createRequire(import.meta.url)('moment-timezone');
  return (at, name) => {
    const zone = tz.zone(name);
    if (zone === null) throw new Error(`moment-timezone does not know ${name}`);
    return Math.round(-zone.utcOffset(at) * 60) * 1000;
  };
}
