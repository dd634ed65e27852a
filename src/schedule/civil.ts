import { Temporal } from 'temporal-polyfill';
import { DAY_MS, dateOf, dayOf } from './days.ts';
import { steadyOffset } from './steady-days.ts';

/** When a wall time happens. */
export interface Moment {
  /** Epoch milliseconds. */
  at: number;
  /** Local date, time and offset, such as `2026-03-29T03:30:00+02:00`. */
  local: string;
  /** Says so when clocks moved the time, or made it happen twice. */
  note?: string;
}

/**
 * Whether `name` is a time zone, spelled exactly as the tz database does: `Europe/Paris`, the link `Asia/Calcutta`,
 * `UTC`, `Etc/GMT+5`. Offsets (`+05:30`), other spellings (`europe/paris`) and unknown names are not.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    // Intl takes names in any case; Temporal gives back the spelling of the tz database.
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name;
  } catch {
    return false;
  }
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

/** The date in `timeZone` at the instant `at` (epoch ms). */
export function localDate(at: number, timeZone: string): string {
  const steady = steadyOffset(Math.floor(at / DAY_MS), timeZone);
  if (steady) return dateOf(Math.floor((at + steady.ms) / DAY_MS));
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/**
 * The one instant of `time` on `date` in `timeZone`. A time that does not exist moves forward by the gap, be it a
 * whole day (Pacific/Apia, 2011-12-30); of one that happens twice it is the first (Temporal's `compatible`
 * rule). The instants of consecutive dates at one time never go back.
 */
export function moment(date: string, time: string, timeZone: string): Moment {
  const steady = steadyOffset(dayOf(date), timeZone);
  if (steady) {
    return { at: Date.parse(`${date}T${time}Z`) - steady.ms, local: `${date}T${time}:00${steady.text}` };
  }
  return nearChange(date, time, timeZone);
}

function nearChange(date: string, time: string, timeZone: string): Moment {
  const wall = Temporal.PlainDateTime.from(`${date}T${time}`);
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  const at = zoned.epochMilliseconds;
  const local = zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  if (!zoned.toPlainDateTime().equals(wall)) {
    const moved = local.slice(0, 16).replace('T', ' ');
    return {
      at,
      local,
      note: `Clocks go forward: ${date} ${time} does not exist in ${timeZone}, so it is ${moved}`,
    };
  }
  if (wall.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds !== at) {
    return {
      at,
      local,
      note: `Clocks go back: ${date} ${time} happens twice in ${timeZone}, and this is the first`,
    };
  }
  return { at, local };
}
