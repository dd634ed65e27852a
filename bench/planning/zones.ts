import { Temporal } from 'temporal-polyfill';

/** All zones of the runtime's Intl. */
export const allZones = (): string[] => Intl.supportedValuesOf('timeZone');

/** Zones whose clocks change at different times of day. */
export const someZones = ['Africa/Cairo', 'America/Nuuk', 'Pacific/Chatham'];

/** The zone's offset changes from the year `first` through `last`, epoch ms. */
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
