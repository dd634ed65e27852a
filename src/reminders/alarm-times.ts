/** Alarms of one minute are spread over this long, by a hash of the user: a delivery object takes so many calls a second. */
const spreadMs = 1_000;

/** An alarm that is overdue for this long was lost by the platform. */
const lostAfterMs = 30_000;

/** How long an alarm that failed waits before it runs again: a shorter wait would only add to the database's load. */
export const alarmBackoff = { baseMs: 30_000, maxMs: 5 * 60_000 };

/**
 * When the user's alarm must go off so that it runs at `at` (epoch ms) at the latest, given the one that is set. Null: that
 * one stays, since it is the earlier.
 */
export function rearmedAt(user: string, at: number, current: number | null, now: number): number | null {
  const wanted = at + (Number.parseInt(user.slice(-4), 16) % spreadMs);
  return current !== null && current <= wanted && current > now - lostAfterMs ? null : wanted;
}
