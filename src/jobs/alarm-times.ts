/** Alarms of one minute are spread over so long, by a hash of the user, so that the database meets no herd. */
const spreadMs = 2_000;

/** One that is overdue for so long was lost by the platform, and is not trusted. */
const lostAfterMs = 30_000;

const firstFaultMs = 30_000;
const longestFaultMs = 5 * 60_000;

/**
 * When the user's alarm goes off so that it looks at `at` (epoch ms) at the latest, given the one that is set; null:
 * that one stays, since it is the earlier.
 */
export function rearmedAt(user: string, at: number, current: number | null, now: number): number | null {
  const wanted = at + (Number.parseInt(user.slice(-4), 16) % spreadMs);
  return current !== null && current <= wanted && current > now - lostAfterMs ? null : wanted;
}

/** When to look again after `faults` runs in a row that failed: growing, and jittered, so that no herd comes back. */
export function afterFaultAt(now: number, faults: number): number {
  const ceiling = Math.min(longestFaultMs, firstFaultMs * 2 ** (faults - 1));
  return now + Math.round(ceiling / 2 + Math.random() * (ceiling / 2));
}
