import { useRef } from 'preact/hooks';
import { stateOf } from './day-states.ts';
import type { DayRow } from './day-table.tsx';

interface Page {
  participants: readonly DayRow[];
}

/** The days whose outcome has changed since they were first shown, by user. */
export function useFreshDays(pages: readonly Page[] | undefined): ReadonlyMap<string, ReadonlySet<number>> {
  const seen = useRef<{ pages: readonly Page[]; fresh: Map<string, Set<number>> } | undefined>(undefined);
  if (!pages) seen.current = undefined;
  else if (seen.current?.pages !== pages) {
    const fresh = new Map(seen.current?.fresh);
    const before = new Map(
      seen.current?.pages.flatMap(({ participants }) => participants.map((row) => [row.user, row] as const)),
    );
    for (const row of pages.flatMap(({ participants }) => participants)) {
      const old = before.get(row.user);
      if (!old || old === row) continue;
      const days = row.due.flatMap((_, day) => (stateOf(old, day) === stateOf(row, day) ? [] : [day]));
      if (days.length > 0) fresh.set(row.user, new Set([...(fresh.get(row.user) ?? []), ...days]));
    }
    seen.current = { pages, fresh };
  }
  return seen.current?.fresh ?? new Map();
}
