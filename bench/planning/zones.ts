import { Temporal } from 'temporal-polyfill';
import { offsetChanges } from '../../simulator/oracle/clock.ts';

/** All zones of the runtime's Intl. */
export const allZones = (): string[] => Intl.supportedValuesOf('timeZone');

/** Zones whose clocks change at different times of day, and one whose newest rules many runtimes lack. */
export const someZones = ['Africa/Cairo', 'America/Havana', 'America/Nuuk', 'Pacific/Chatham'];

/** The zone's offset changes from the year `first` through `last`, by the newest rules or by the runtime's, epoch ms. */
export function changesOf(zone: string, first: number, last: number): number[] {
  const [from, to] = [Date.UTC(first, 0, 1), Date.UTC(last + 1, 0, 1)];
  return [...new Set([...offsetChanges(zone, from, to), ...runtimeChanges(zone, from, to)])];
}

function runtimeChanges(zone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= to) return changes;
    changes.push(next.epochMilliseconds);
    at = next;
  }
}
