import { vi } from 'vitest';

/** A Monday in winter time. */
export const startOfTests = Date.parse('2027-03-01T08:00:00.000Z');

/** Moves the clock of the worker, the Durable Objects and the tests. */
export const setClock = (instant: string | number) => vi.setSystemTime(new Date(instant));

export const later = (ms: number) => setClock(Date.now() + ms);

export const minutes = 60_000;
export const hours = 60 * minutes;
export const days = 24 * hours;
