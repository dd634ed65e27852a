import type { Me } from './snapshot.ts';

/** The end of a pause that lasts: null for one without an end, undefined for no pause. A phone that is offline still knows a pause that is over. */
export const pauseOf = ({ pausedUntil }: Pick<Me, 'pausedUntil'>, now: number): string | null | undefined =>
  pausedUntil && Date.parse(pausedUntil) <= now ? undefined : pausedUntil;

/** Midnight after so many days, in the phone's zone. Days have 23 to 25 hours. */
export function midnightAfter(days: number, now: number): string {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).toISOString();
}
