import { expect, test, vi } from 'vitest';
import { createDeliverySlots } from '../../src/platform/cloudflare/delivery-slots.ts';

/** Work that ends when the test says so; `begun` has the names of what has begun. */
function newWork(min: number, max = min) {
  vi.useFakeTimers();
  const withDeliverySlot = createDeliverySlots(() => Date.now(), { min, max });
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const ask = (name: string) =>
    withDeliverySlot(() => {
      begun.push(name);
      return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
    });
  return { ask, begun, ends };
}

test('so many run at once, and the next at once when one of them is over or has failed', async () => {
  const { ask, begun, ends } = newWork(2);
  const ada = ask('ada');
  const bruno = expect(ask('bruno')).rejects.toThrow('planted');
  const others = [ask('chidi'), ask('dana')];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(['ada', 'bruno']);
  ends.get('bruno')?.reject(new Error('planted'));
  await bruno;
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['ada', 'bruno', 'chidi']);
  ends.get('ada')?.resolve();
  await ada;
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['ada', 'bruno', 'chidi', 'dana']);
  for (const { resolve } of ends.values()) resolve();
  await Promise.all(others);
  vi.useRealTimers();
});

test('more run at once after fast ones, up to the most, and fewer after slow ones, down to the least', async () => {
  vi.useFakeTimers();
  const withDeliverySlot = createDeliverySlots(() => Date.now(), { min: 2, max: 4 });
  /** How many of six begin at once; all end. */
  const begin = async (ms: number) => {
    let begun = 0;
    const work = () => {
      begun += 1;
      return new Promise<void>((resolve) => setTimeout(resolve, ms));
    };
    const all = Promise.all(Array.from({ length: 6 }, () => withDeliverySlot(work)));
    await vi.advanceTimersByTimeAsync(0);
    const atOnce = begun;
    await vi.advanceTimersByTimeAsync(300_000);
    await all;
    return atOnce;
  };
  expect(await begin(10)).toBe(2);
  expect(await begin(5_000)).toBe(4);
  expect(await begin(5_000)).toBe(2);
  expect(await begin(10)).toBe(2);
  vi.useRealTimers();
});

test('a turn whose object was ended by the runtime is given on after a minute', async () => {
  const { ask, begun } = newWork(1);
  void ask('lost');
  void ask('ada');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(begun).toEqual(['lost']);
  // She looks by herself, every 5 to 15 seconds.
  await vi.advanceTimersByTimeAsync(16_000);
  expect(begun).toEqual(['lost', 'ada']);
  vi.useRealTimers();
});
