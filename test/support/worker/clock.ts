import { vi } from 'vitest';

export const minutes = 60_000;
export const hours = 60 * minutes;
export const days = 24 * hours;

/** A Monday in winter time. */
export const startOfTests = Date.parse('2027-03-01T08:00:00.000Z');

/** Moves the clock of the worker, the Durable Objects and the tests. */
export const setClock = (instant: string | number) => vi.setSystemTime(new Date(instant));

export const later = (ms: number) => setClock(Date.now() + ms);

const MachineDate = Date;
let ahead = 0;

/** A clock that runs on, while that of a test stands still. */
class RunningDate extends MachineDate {
  constructor(...args: [] | [number | string]) {
    super(...((args.length === 0 ? [RunningDate.now()] : args) as [number]));
  }

  static override now() {
    return MachineDate.now() + ahead;
  }
}

/**
 * Nothing here sees the machine's clock: work of a file outside of its tests is on the day before them. So its rows are
 * older, and ordered, on whatever date the tests run.
 */
export function startClock(): void {
  ahead = startOfTests - days - MachineDate.now();
  globalThis.Date = RunningDate as DateConstructor;
}
