import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '/usr/share/zoneinfo';
const daySeconds = 86_400;

/** A compiled zone file (RFC 9636), in seconds. */
interface ZoneFile {
  changes: number[];
  /** One more than `changes`: the first holds before them. */
  offsets: number[];
  /** The rule after the last change, in the form of the POSIX variable TZ. */
  footer: string;
}

/** The release of the tz database that this machine's zone files were compiled from; null: it has none, or tells none. */
export function zoneFilesRelease(): string | null {
  const path = join(folder, 'tzdata.zi');
  if (!existsSync(path)) return null;
  return /^# version (\S+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? null;
}

const files = new Map<string, ZoneFile>();

/** The file of a zone or link of this name. */
export function zoneFile(name: string): ZoneFile {
  let file = files.get(name);
  if (file === undefined) {
    file = parseZoneFile(readFileSync(join(folder, name)));
    files.set(name, file);
  }
  return file;
}

/** Milliseconds east of Greenwich at an instant (epoch ms). */
export function offsetByZoneFile(at: number, name: string): number {
  const { changes, offsets, footer } = zoneFile(name);
  const seconds = Math.floor(at / 1000);
  if (seconds >= (changes.at(-1) ?? Number.NEGATIVE_INFINITY)) return offsetByFooter(footer, seconds) * 1000;
  return (offsets[changes.findLastIndex((change) => change <= seconds) + 1] as number) * 1000;
}

/** Of the two blocks of a file the second has the instants in 64 bits. */
function parseZoneFile(bytes: Buffer): ZoneFile {
  const sizeOf = (header: number, timeSize: number) => {
    const [isUt = 0, isStd = 0, leaps = 0, times = 0, types = 0, chars = 0] = [20, 24, 28, 32, 36, 40].map(
      (n) => bytes.readUInt32BE(header + n),
    );
    const size = 44 + times * (timeSize + 1) + types * 6 + chars + leaps * (timeSize + 4) + isStd + isUt;
    return { times, types, size };
  };
  const second = sizeOf(0, 4).size;
  const { times, types, size } = sizeOf(second, 8);
  const start = second + 44;
  const offsetOf = (type: number) => bytes.readInt32BE(start + times * 9 + type * 6);
  if (types === 0) throw new Error('A zone file without a type of local time');
  const indices = Array.from({ length: times }, (_, i) => i);
  return {
    changes: indices.map((i) => Number(bytes.readBigInt64BE(start + i * 8))),
    offsets: [offsetOf(0), ...indices.map((i) => offsetOf(bytes[start + times * 8 + i] as number))],
    footer: bytes.toString('latin1', second + size).trim(),
  };
}

const name = '(?:<[^>]+>|[A-Za-z]+)';
const time = '[+-]?\\d+(?::\\d+){0,2}';
const footerPattern = new RegExp(`^${name}(${time})(?:${name}(${time})?,([^,]+),([^,]+))?$`);

function offsetByFooter(footer: string, seconds: number): number {
  const [, west = '', summerWest, start, end] = footerPattern.exec(footer) ?? [];
  if (west === '') throw new Error(`Unknown form of a footer: ${footer}`);
  const standard = -secondsOf(west);
  if (start === undefined || end === undefined) return standard;
  const summer = summerWest === undefined ? standard + 3600 : -secondsOf(summerWest);
  const year = new Date((seconds + standard) * 1000).getUTCFullYear();
  const begins = wallOf(start, year) - standard;
  const ends = wallOf(end, year) - summer;
  const inSummer = begins < ends ? begins <= seconds && seconds < ends : seconds < ends || begins <= seconds;
  return inSummer ? summer : standard;
}

/** `M3.2.0/7:00`: on the second Sunday (0) of March; week 5 is the last. */
function wallOf(rule: string, year: number): number {
  const [, month, week, weekday, time = '2'] = /^M(\d+)\.(\d)\.(\d)(?:\/(.+))?$/.exec(rule) ?? [];
  if (month === undefined) throw new Error(`Unknown form of a date: ${rule}`);
  const first = Date.UTC(year, Number(month) - 1) / 1000;
  const next = Date.UTC(year, Number(month)) / 1000;
  const days = (Number(weekday) - new Date(first * 1000).getUTCDay() + 7) % 7;
  let day = first + (days + (Number(week) - 1) * 7) * daySeconds;
  if (day >= next) day -= 7 * daySeconds;
  return day + secondsOf(time);
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.replace(/^[+-]/, '').split(':').map(Number);
  return (time.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}
