/** Dates as day numbers: whole days since 1970-01-01, so that the arithmetic of dates is that of integers. */

export const DAY_MS = 86_400_000;

/** The last day that `YYYY-MM-DD` can write. Series stop there. */
export const LAST_DAY = Date.parse('9999-12-31') / DAY_MS;

/** @param date an ISO date; any year that `Date` can hold. */
export function dayOf(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** The inverse of {@link dayOf}. */
export function dateOf(day: number): string {
  const iso = new Date(day * DAY_MS).toISOString();
  return iso.slice(0, iso.indexOf('T'));
}

/** 0-6, Sunday to Saturday. */
export function weekdayOf(day: number): number {
  return mod(day + 4, 7); // 1970-01-01 was a Thursday
}

/** The remainder that is never negative. */
export function mod(n: number, divisor: number): number {
  return ((n % divisor) + divisor) % divisor;
}
