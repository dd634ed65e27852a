import { expect, test } from 'vitest';
import { everyMinute } from '../../src/platform/server/every-minute.ts';

const minuteMs = 60_000;

/** The minute's work by clocks that a test moves; each piece of it ends when `end` is called. */
function world() {
  const clocks = { wall: 0, monotonic: 0 };
  const began: number[] = [];
  let end = () => {};
  let onBegin = () => {};
  const work = (minute: number) =>
    new Promise<void>((resolve) => {
      end = resolve;
      began.push(minute);
      onBegin();
    });
  const minutes = everyMinute(
    () => clocks.wall,
    work,
    () => clocks.monotonic,
  );
  /** Lets time pass, to a millisecond before a full minute of the wall clock, at which work begins. */
  const pass = (ms: number) => {
    clocks.monotonic += ms;
    clocks.wall += ms;
  };
  return {
    minutes,
    work,
    clocks,
    began,
    pass,
    end: () => end(),
    next: () =>
      new Promise<void>((resolve) => {
        onBegin = resolve;
      }),
  };
}

/** Callbacks of promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the minute is alive as long as its work ends, and dead when it has not ended for ten minutes', async () => {
  const { minutes, work, pass, clocks, began, end, next } = world();
  minutes.start(() => work(0));
  pass(10 * minuteMs - 1);
  expect(minutes.isAlive()).toBe(true);
  const second = next();
  end();
  await settled();
  // The timer was set for the millisecond that was left of the minute.
  pass(1);
  await second;
  expect(began).toEqual([0, 10 * minuteMs]);
  pass(10 * minuteMs - 2);
  expect(minutes.isAlive()).toBe(true);
  pass(2);
  expect(minutes.isAlive()).toBe(false);
  // A clock that is set by hours says nothing.
  clocks.wall -= 100 * minuteMs;
  expect(minutes.isAlive()).toBe(false);
  end();
  await settled();
  expect(minutes.isAlive()).toBe(true);
  clocks.wall += 1_000 * minuteMs;
  expect(minutes.isAlive()).toBe(true);
  await minutes.stop();
});
