/** Dates as day numbers: whole days since 1970-01-01, so that the arithmetic of dates is that of integers. */

export const dayMs = 86_400_000;

/** The last day that `YYYY-MM-DD` can write. Series stop there. */
export const lastDay = Date.parse('9999-12-31') / dayMs;

/** @param date an ISO date; any year that `Date` can hold. */
export const dayOf = remembering((date: string) => Date.parse(date) / dayMs);

/** The inverse of {@link dayOf}. */
export const dateOf = remembering((day: number) => {
  const iso = new Date(day * dayMs).toISOString();
  return iso.slice(0, iso.indexOf('T'));
});

/** 0-6, Sunday to Saturday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7; // 1970-01-01 was a Thursday
}

/** The same, for the few dates that are planned at a time. */
function remembering<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size === 1000) known.clear();
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
