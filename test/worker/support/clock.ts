import { vi } from 'vitest';

/** A Monday in winter time. */
export const startOfTests = Date.parse('2027-03-01T08:00:00.000Z');

/** Moves the clock of the worker, the Durable Objects and the tests. */
export const setClock = (instant: string | number) => vi.setSystemTime(new Date(instant));

export const later = (ms: number) => setClock(Date.now() + ms);

export const minutes = 60_000;
export const hours = 60 * minutes;
export const days = 24 * hours;

/** Repeats a look until it finds something: for what goes on after an answer. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false>,
  patienceMs = 10_000,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() - started > patienceMs)
      throw new Error(`waited ${patienceMs / 1000} s and it did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
