import { clockOf, instantOf, isRepeated, offsetAt } from './clocks.ts';
import { dateOf, dayMs, dayOf } from './days.ts';

/** The instant of a wall time. */
export interface Moment {
  /** Epoch milliseconds. */
  at: number;
  /** Local date, time and offset, such as `2026-03-29T03:30:00+02:00`. */
  local: string;
  /** Tells that clocks moved the time, or made it happen twice. */
  note?: string;
}

/** Whether `s` is a real date of the form `YYYY-MM-DD`. */
export function isDate(s: string): boolean {
  // Date.parse takes 2026-02-30 for 2 March, hence the way back.
  return /^\d{4}-\d\d-\d\d$/.test(s) && Number.isInteger(dayOf(s)) && dateOf(dayOf(s)) === s;
}

/** Whether `s` is a time of the form `HH:MM`, 00:00 to 23:59. */
export function isWallTime(s: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(s);
}

/** The end of a day, as the end of a window. */
export const endOfDay = '24:00';

/** `HH:MM` as milliseconds since midnight. */
export function timeOf(time: string): number {
  const digit = (n: number) => time.charCodeAt(n) - 48;
  return (digit(0) * 600 + digit(1) * 60 + digit(3) * 10 + digit(4)) * 60_000;
}

/** The inverse, for a whole minute since midnight. */
export const wallTimeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The date in `timeZone` at the instant `at` (epoch ms). */
export function localDate(at: number, timeZone: string): string {
  return dateOf(Math.floor((at + offsetAt(clockOf(timeZone), at)) / dayMs));
}

/** The last millisecond of a date in `timeZone`, epoch ms. */
export const lastInstantOf = (date: string, timeZone: string): number =>
  instantOf(clockOf(timeZone), (dayOf(date) + 1) * dayMs) - 1;

/**
 * The one instant of `time` on `date` in `timeZone`. A time that does not exist moves forward by the gap, be it a whole
 * day (Pacific/Apia, 2011-12-30); if a time happens twice, the first counts (Temporal's `compatible` rule). The instants
 * of consecutive dates at one time never go back.
 */
export function moment(date: string, time: string, timeZone: string): Moment {
  const clock = clockOf(timeZone);
  const wall = dayOf(date) * dayMs + timeOf(time);
  const at = instantOf(clock, wall);
  const offset = offsetAt(clock, at);
  const local = localTime(at, timeZone);
  if (at + offset !== wall) {
    const moved = local.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
    const note = `Clocks go forward: ${date} ${time} does not exist in ${timeZone}, so the time is ${moved}`;
    return { at, local, note };
  }
  if (!isRepeated(clock, wall)) return { at, local };
  const note = `Clocks go back: ${date} ${time} happens twice in ${timeZone}, and this is the first`;
  return { at, local, note };
}

/** The instant `at` (epoch ms) by the clocks of `timeZone`: date, time and offset. */
export function localTime(at: number, timeZone: string): string {
  const offset = offsetAt(clockOf(timeZone), at);
  return `${new Date(at + offset).toISOString().slice(0, -'.000Z'.length)}${written(offset)}`;
}

/** An offset to the minute, such as `+02:00`. */
function written(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
