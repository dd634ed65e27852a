import { Temporal } from 'temporal-polyfill';

/** All that the runtime's Intl names. */
export const allZones = (): string[] => Intl.supportedValuesOf('timeZone');

/** A few whose clocks change at different times of the day. */
export const someZones = ['Africa/Cairo', 'America/Nuuk', 'Pacific/Chatham'];

/** When the zone's offset changes in the years from `first` up to and including `last`, epoch ms. */
export function changesOf(zone: string, first: number, last: number): number[] {
  const end = Date.UTC(last + 1, 0, 1);
  const changes: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(first, 0, 1)).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= end) return changes;
    changes.push(next.epochMilliseconds);
    at = next;
  }
}
