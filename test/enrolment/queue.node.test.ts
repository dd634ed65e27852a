import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inQueue } from '../../src/enrolment/queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('a queue of a minute keeps its turns, as long as one ends now and then', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const all = Array.from({ length: 10 }, (_, n) =>
    inQueue('code', async () => {
      most = Math.max(most, ++running);
      await after(6_000);
      running--;
      done.push(n);
    }),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(most).toBe(1);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('somebody whose turn never ends holds up nobody for long', async () => {
  void inQueue('code', () => after(3_600_000));
  let isDone = false;
  const next = inQueue('code', async () => {
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  await next;
  expect(isDone).toBe(true);
});
