import { type Change, nextChange, type Yearly, type YearlyChange } from '../../src/schedule/yearly.ts';
import type { Zone } from '../../src/schedule/zone-text.ts';
import type { PackageZone } from './package-zones.ts';

const dayMs = 86_400_000;
/** In this many years each date falls on each weekday several times. */
const years = 100;

/**
 * The zone with the yearly rule that its last changes follow, and without the changes that follow from the rule. A zone
 * whose clocks change until the package's table ends, but by no such rule, keeps its explicit changes.
 *
 * @param end epoch ms, when the table ends
 */
export function findYearly({ initial, changes }: PackageZone, end: number): Zone {
  const recent = changes.filter(({ at }) => at > end - years * 365.25 * dayMs);
  if (recent.length < 2 * years - 2) return { initial, changes, yearly: null };
  const [odd, even] = [1, 0].map((rest) => describe(recent, rest)) as [YearlyChange, YearlyChange];
  const yearly: Yearly = odd.month < even.month ? [odd, even] : [even, odd];

  let count = changes.length;
  while (count > 1 && follows(yearly, changes[count - 2], changes[count - 1])) count--;
  if (count > changes.length - recent.length + 1) return { initial, changes, yearly: null };
  return { initial, changes: changes.slice(0, count), yearly };
}

/** Every second change, as the yearly changes that would produce it. */
function describe(changes: Change[], rest: number): YearlyChange {
  const walls = changes
    .map(({ at, offset }, i) => ({ wall: at + (changes[i - 1]?.offset ?? 0), offset }))
    .filter((_, i) => i > 0 && i % 2 === rest);
  const dates = walls.map(({ wall }) => new Date(wall));
  // A week that begins in one month may end in the next.
  const month = Math.min(...dates.map((date) => date.getUTCMonth()));
  const days = dates.map((date) => {
    const first = Date.UTC(date.getUTCFullYear(), month, 1);
    return 1 + Math.floor((date.getTime() - first) / dayMs);
  });
  const last = dates.at(-1) as Date;
  return {
    month: month + 1,
    day: Math.min(...days),
    weekday: last.getUTCDay(),
    time: last.getTime() % dayMs,
    offset: walls.at(-1)?.offset ?? 0,
  };
}

function follows(yearly: Yearly, before: Change | undefined, change: Change | undefined): boolean {
  const expected = before && nextChange(yearly, before.at);
  return expected?.at === change?.at && expected?.offset === change?.offset;
}
