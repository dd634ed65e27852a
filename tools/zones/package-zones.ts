import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' };
import installed from 'moment-timezone/package.json' with { type: 'json' };
import type { Change } from '../../src/schedule/yearly.ts';

/** A zone as the package has it: every change that it lists, without a rule. */
export interface PackageZone {
  /** The zone's name, then its links, sorted. */
  names: string[];
  /** Ms ahead of UTC before the first change. */
  initial: number;
  changes: Change[];
}

/** The package and version that the rules are built from. */
export const source = `moment-timezone ${installed.version}`;

/** The release of the tz database that the package has, such as `2026f`. */
export const packageRelease: string = packed.version;

/** All zones of the package, sorted by name. */
export function readPackage(): PackageZone[] {
  const links = packed.links.map((link) => link.split('|') as [target: string, name: string]);
  const zones = packed.zones.map((text) => {
    const [name = '', ...rules] = text.split('|');
    const names = links.filter(([target]) => target === name).map(([, link]) => link);
    return { names: [name, ...names.sort()], ...unpack(rules) };
  });
  return zones.sort((a, b) => (String(a.names[0]) < String(b.names[0]) ? -1 : 1));
}

/**
 * The package's format: abbreviations, offsets (minutes west), the index of the offset of each stretch, and the minutes
 * from each change to the next, of which the first is from 1970. Changes of the abbreviation alone are left out.
 */
function unpack([, offsetsText = '', indices = '', gaps = '']: string[]): Omit<PackageZone, 'names'> {
  const offsets = offsetsText.split(' ').map((minutes) => -toMs(minutes) || 0);
  const [initial = 0, ...later] = [...indices].map((index) => offsets[toMs(index) / 60_000] as number);

  const changes: Change[] = [];
  let at = 0;
  let current = initial;
  for (const [i, gap] of (gaps === '' ? [] : gaps.split(' ')).entries()) {
    at += toMs(gap);
    const offset = later[i] as number;
    if (offset !== current) changes.push({ at, offset });
    current = offset;
  }
  return { initial, changes };
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';

/** A number of minutes with base 60, with at most one digit after the point, as ms. */
function toMs(text: string): number {
  const [whole = '', seconds = '0'] = text.replace('-', '').split('.');
  let minutes = 0;
  for (const digit of whole) minutes = minutes * 60 + digits.indexOf(digit);
  return (text.startsWith('-') ? -1 : 1) * (minutes * 60 + digits.indexOf(seconds)) * 1000;
}
