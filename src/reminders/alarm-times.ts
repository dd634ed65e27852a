/**
 * Alarms of one minute are spread over this long, by a hash of the user, since a delivery object handles a limited number
 * of calls per second.
 */
const spreadMs = 1_000;

/** An alarm that is overdue for this long was lost by the platform. */
const lostAfterMs = 30_000;

/** How long an alarm that failed waits before it runs again: a shorter wait would only add to the database's load. */
export const alarmBackoff = { baseMs: 30_000, maxMs: 5 * 60_000 };

/**
 * The alarm that the user needs in order to run at `at` (epoch ms) at the latest, given the present one. Null: the
 * present alarm stays, since it is earlier.
 */
export function rearmedAt(user: string, at: number, current: number | null, now: number): number | null {
  const wanted = at + (Number.parseInt(user.slice(-4), 16) % spreadMs);
  return current !== null && current <= wanted && current > now - lostAfterMs ? null : wanted;
}
