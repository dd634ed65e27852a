import { oracle } from './zones.ts';

/*
 * A slow, obvious model of civil time. It knows only the local time at an instant, by an oracle of the same release of
 * the tz database, and finds the instant of a local time by trial.
 */

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Every offset that a zone may have. */
const quarterHours = Array.from({ length: 4 * 27 + 1 }, (_, i) => (i * 15 - 13 * 60) * minuteMs);

/** The local time in `zone` at the instant `at`: `2026-03-29 03:30`. */
export function wallAt(at: number, zone: string): string {
  return new Date(at + oracle.offsetAt(at, zone)).toISOString().slice(0, 16).replace('T', ' ');
}

/** Milliseconds east of Greenwich. */
export function offsetAt(at: number, zone: string): number {
  return Date.parse(`${wallAt(at, zone).replace(' ', 'T')}Z`) - at;
}

/** The first minute of each new offset of `zone` between two instants. Changes within three days count once. */
export function offsetChanges(zone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  for (let start = from; start < to; start += 3 * dayMs) {
    let [before, after] = [start, start + 3 * dayMs];
    if (offsetAt(before, zone) === offsetAt(after, zone)) continue;
    while (after - before > minuteMs) {
      const middle = Math.floor((before + after) / 2 / minuteMs) * minuteMs;
      if (offsetAt(middle, zone) === offsetAt(before, zone)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/**
 * The instant at which clocks show `date` `time`: the first of two, or, in a gap, as many minutes after the last minute
 * before the gap as the given time is. `offsets` are all that the zone may have.
 */
export function slowMoment(
  date: string,
  time: string,
  zone: string,
  offsets: readonly number[] = quarterHours,
): { at: number; happens: 'once' | 'twice' | 'never' } {
  const wall = Date.parse(`${date}T${time}Z`);
  const found = instantsOf(wall, zone, offsets);
  if (found.length > 0) return { at: Math.min(...found), happens: found.length > 1 ? 'twice' : 'once' };
  let minutes = 1;
  while (instantsOf(wall - minutes * minuteMs, zone, offsets).length === 0) minutes++;
  const last = Math.max(...instantsOf(wall - minutes * minuteMs, zone, offsets));
  return { at: last + minutes * minuteMs, happens: 'never' };
}

function instantsOf(wall: number, zone: string, offsets: readonly number[]): number[] {
  const text = new Date(wall).toISOString().slice(0, 16).replace('T', ' ');
  return offsets.map((offset) => wall - offset).filter((at) => wallAt(at, zone) === text);
}
