import { expect, test } from 'vitest';
import { afterFailure, type Failing } from '../../src/webhooks/plan.ts';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const days = 24 * hours;

/** The waits of a receiver that never answers 2xx, until its webhook is disabled. */
function waits(random: () => number) {
  const found: number[] = [];
  let state: Failing = { failures: 0, failingSince: null };
  for (let now = 0; ; ) {
    const next = afterFailure(state, { status: 500, now, random: random() });
    if (next.nextAttemptAt === null) return { waits: found, status: next.status, end: now };
    found.push(next.nextAttemptAt - now);
    now = next.nextAttemptAt;
    state = next;
  }
}

test('waits are 5 s, 5 min, 30 min, 2 h, 5 h and then 10 h, and the last try is at the end of the five days', () => {
  const { waits: found, status, end } = waits(() => 0);
  const first = [5 * seconds, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours];
  expect(found.slice(0, 6)).toEqual(first);
  expect(new Set(found.slice(6, -1))).toEqual(new Set([10 * hours]));
  expect([status, end]).toEqual(['disabled', 5 * days]);
});

test('jitter lengthens each wait, by a fifth at most, and differs', () => {
  const short = waits(() => 0).waits;
  for (let n = 0; n < 100; n++)
    waits(Math.random)
      .waits.slice(0, 6)
      .forEach((wait, at) => {
        expect(wait).toBeGreaterThanOrEqual(short[at] ?? 0);
        expect(wait).toBeLessThanOrEqual((short[at] ?? 0) * 1.2);
      });
  expect(waits(() => 1).waits.slice(0, 2)).toEqual([6 * seconds, 6 * minutes]);
});

test('410 disables at once', () => {
  const given = { failures: 0, failingSince: null };
  expect(afterFailure(given, { status: 410, now: 7, random: 0 })).toMatchObject({
    status: 'disabled',
    nextAttemptAt: null,
  });
});
