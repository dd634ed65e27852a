import * as tzdata from './tzdata.ts';
import { openZones, type Zone } from './zone-text.ts';

/** The release of the tz database behind all instants, such as `2026f`. */
export const tzRelease: string = tzdata.release;

const { names, find } = openZones(tzdata);
const known = new Set(names);

/** Every zone and link name of the release. */
export const zoneNames: readonly string[] = names;

/** Whether the release has a zone or link of exactly this name: `Europe/Paris`, `Asia/Calcutta`, `Etc/GMT+5`. */
export const isZoneName = (name: string): boolean => known.has(name);

/** The rules of a zone, by its name or a link. Throws a RangeError for another name. */
export function zoneOf(name: string): Zone {
  const zone = find(name);
  if (zone === undefined)
    throw new RangeError(`Unknown time zone '${name}': expected a name of the tz database`);
  return zone;
}
