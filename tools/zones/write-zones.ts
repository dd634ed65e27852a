import type { YearlyChange } from '../../src/schedule/yearly.ts';
import { gapSigns, type Zone } from '../../src/schedule/zone-text.ts';

/** A zone and all its names, its own first. */
export interface NamedZone extends Zone {
  names: string[];
}

/** The source text of src/schedule/tzdata.ts. */
export function writeModule(zones: NamedZone[], release: string, source: string): string {
  const gaps = frequentGaps(zones);
  return `// Built by \`npm run zones\` from ${source}: not to be edited.

/** The release of the tz database. */
export const release = '${release}';

/** As \`parseGap\` reads them, in the order of \`gapSigns\`. */
export const gaps =
  '${gaps.map(writeGap).join(' ')}';

/** A line for each zone: its name and its links, and its rules as \`parseZone\` reads them. */
export const zones = \`
${zones.map((zone) => `${zone.names.join(' ')}|${writeZone(zone, gaps)}`).join('\n')}
\`;
`;
}

/** The inverse of `parseZone`. */
function writeZone({ initial, changes, yearly }: Zone, gaps: number[]): string {
  const offsets = [...new Set([initial, ...changes.map(({ offset }) => offset)])];
  if (offsets.length > 10) throw new Error(`${offsets.length} offsets in one zone: an index has one digit`);

  let [lastAt, offset, before] = [0, initial, initial];
  const texts = changes.map((change) => {
    const gap = change.at - lastAt;
    const sign = gapSigns[gaps.indexOf(gap)] ?? `(${writeGap(gap)})`;
    const index = change.offset === before ? '' : String(offsets.indexOf(change.offset));
    [lastAt, offset, before] = [change.at, change.offset, offset];
    return index + sign;
  });
  const writeYearly = ({ month, day, weekday, time, offset }: YearlyChange) =>
    [month, day, weekday, time / 1000, offsets.indexOf(offset)].join('.');
  const columns = [
    offsets.map((ms) => ms / 1000).join(' '),
    texts.join(''),
    yearly?.map(writeYearly).join(' '),
  ];
  return columns.filter((column, i) => column || i < 2).join('|');
}

/** The inverse of `parseGap`. */
function writeGap(gap: number): string {
  const quarters = Math.floor(gap / 900_000);
  const seconds = gap / 1000 - quarters * 900;
  return quarters.toString(36) + (seconds === 0 ? '' : `.${seconds}`);
}

/** As many as there are signs, by their size: so they move little from release to release. */
function frequentGaps(zones: Zone[]): number[] {
  const counts = new Map<number, number>();
  for (const { changes } of zones) {
    for (const [i, { at }] of changes.entries()) {
      const gap = at - (changes[i - 1]?.at ?? 0);
      if (i > 0) counts.set(gap, (counts.get(gap) ?? 0) + 1);
    }
  }
  const frequent = [...counts].sort(([a, m], [b, n]) => n - m || a - b).slice(0, gapSigns.length);
  return frequent.map(([gap]) => gap).sort((a, b) => a - b);
}
