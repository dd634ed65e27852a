import type { Change, Yearly, YearlyChange } from './yearly.ts';

/** The clocks of a time zone, for all time. */
export interface Zone {
  /** Ms ahead of UTC before the first change. */
  initial: number;
  /** In their order. */
  changes: readonly Change[];
  /** The rule that repeats for ever after the last of `changes`; null: the clocks change no more. */
  yearly: Yearly | null;
}

/** The signs for the most frequent gaps between changes in the tz database. */
export const gapSigns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%&*+,-./:;<=>?@[]^_{}~';

/** The generated module: `zones` has a line for each zone, its names and after the first `|` its rules. */
interface ZoneTable {
  gaps: string;
  zones: string;
}

/** Finds the rules of zones by their name or a link. A zone is parsed on demand. */
export function openZones(table: ZoneTable): { names: string[]; find: (name: string) => Zone | undefined } {
  const gaps = table.gaps.split(' ').map(parseGap);
  const texts = new Map<string, string>();
  for (const line of table.zones.trim().split('\n')) {
    const end = line.indexOf('|');
    for (const name of line.slice(0, end).split(' ')) texts.set(name, line.slice(end + 1));
  }
  const find = (name: string) => {
    const text = texts.get(name);
    return text === undefined ? undefined : parseZone(text, gaps);
  };
  return { names: [...texts.keys()], find };
}

/**
 * Reads the rules of one zone, columns separated by `|`:
 *
 * - the offsets from UTC in seconds, of which the first is the initial one: `-17762 -18000 -14400`;
 * - the changes. Each has an index into the offsets, which is left out when the clocks go back to the offset before the
 *   last change, and the gap since the last change (the first: since 1970), which is one of `gapSigns`, or written in
 *   parentheses as by {@link parseGap}: `1(-1ng6w)2(2q)AB`;
 * - the two yearly changes, if any, as month, day, weekday, seconds of the time and index of the offset:
 *   `3.8.0.7200.2 11.1.0.7200.1`.
 *
 * @param gaps ms, in the order of `gapSigns`
 */
function parseZone(text: string, gaps: readonly number[]): Zone {
  const [offsetsText = '', changesText = '', yearlyText = ''] = text.split('|');
  const offsets = offsetsText.split(' ').map((seconds) => Number(seconds) * 1000);
  const offsetOf = (index: string) => offsets[Number(index)] as number;

  const changes: Change[] = [];
  let [at, offset, before] = [0, offsetOf('0'), offsetOf('0')];
  for (const [, index, gap, sign = ''] of changesText.matchAll(/(\d?)(?:\(([^)]+)\)|(.))/g)) {
    at += gap ? parseGap(gap) : (gaps[gapSigns.indexOf(sign)] as number);
    [offset, before] = [index ? offsetOf(index) : before, offset];
    changes.push({ at, offset });
  }

  const yearly =
    yearlyText === '' ? [] : yearlyText.split(' ').map((change) => parseYearly(change, offsetOf));
  return { initial: offsetOf('0'), changes, yearly: isPair(yearly) ? yearly : null };
}

/** Quarters of an hour in base 36, and the rest in seconds if there is one (`-1ng6w.62`), as ms. */
function parseGap(text: string): number {
  const [quarters = '', seconds = 0] = text.split('.');
  return Number.parseInt(quarters, 36) * 900_000 + Number(seconds) * 1000;
}

function parseYearly(text: string, offsetOf: (index: string) => number): YearlyChange {
  const [month, day, weekday, time, index = ''] = text.split('.');
  return {
    month: Number(month),
    day: Number(day),
    weekday: Number(weekday),
    time: Number(time) * 1000,
    offset: offsetOf(index),
  };
}

const isPair = <Item>(items: Item[]): items is [Item, Item] => items.length === 2;
