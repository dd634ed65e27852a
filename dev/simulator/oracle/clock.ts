/**
 * A slow, obvious model of civil time. It knows only what Intl.DateTimeFormat shows on the wall at an instant, and
 * finds the instant of a wall time by trying. No Temporal, so that it can judge code that uses it.
 */
const MINUTE = 60_000;
const DAY = 86_400_000;
const QUARTER_HOURS = Array.from({ length: 4 * 27 + 1 }, (_, i) => (i * 15 - 13 * 60) * MINUTE);

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-29 03:30`, on the wall in `zone` at the instant `at`. */
export function wallAt(at: number, zone: string): string {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, format);
  }
  return format.format(at);
}

/** Milliseconds east of Greenwich. */
export function offsetAt(at: number, zone: string): number {
  return Date.parse(`${wallAt(at, zone).replace(' ', 'T')}Z`) - at;
}

/** The first minutes of all new offsets of `zone` between two instants; changes less than three days apart count once. */
export function offsetChanges(zone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  for (let start = from; start < to; start += 3 * DAY) {
    let [before, after] = [start, start + 3 * DAY];
    if (offsetAt(before, zone) === offsetAt(after, zone)) continue;
    while (after - before > MINUTE) {
      const middle = Math.floor((before + after) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle, zone) === offsetAt(before, zone)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/**
 * When the wall shows `date` `time`: once; twice, then it is the first; or never, then it is as many minutes after the
 * last minute before the gap as the wall time asked for is. `offsets` are all that the zone may have.
 */
export function slowMoment(
  date: string,
  time: string,
  zone: string,
  offsets: readonly number[] = QUARTER_HOURS,
): { at: number; happens: 'once' | 'twice' | 'never' } {
  const wall = Date.parse(`${date}T${time}Z`);
  const found = instantsOf(wall, zone, offsets);
  if (found.length > 0) return { at: Math.min(...found), happens: found.length > 1 ? 'twice' : 'once' };
  let minutes = 1;
  while (instantsOf(wall - minutes * MINUTE, zone, offsets).length === 0) minutes++;
  const last = Math.max(...instantsOf(wall - minutes * MINUTE, zone, offsets));
  return { at: last + minutes * MINUTE, happens: 'never' };
}

function instantsOf(wall: number, zone: string, offsets: readonly number[]): number[] {
  const text = new Date(wall).toISOString().slice(0, 16).replace('T', ' ');
  return offsets.map((offset) => wall - offset).filter((at) => wallAt(at, zone) === text);
}
