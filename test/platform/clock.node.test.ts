import { expect, test } from 'vitest';
import { askTime, type Clocks, createClock } from '../../src/platform/server/clock.ts';
import type { LogEntry } from '../../src/services.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const noon = Date.parse('2027-06-08T12:00:00Z');

/** A machine whose clocks and relay the test moves. */
function machine(relay: () => number | undefined) {
  const state = { wall: noon, monotonic: 0, asked: 0 };
  const log: LogEntry[] = [];
  const clocks: Clocks = {
    wall: () => state.wall,
    monotonic: () => state.monotonic,
    askRelay: async () => {
      state.asked += 1;
      return relay();
    },
  };
  const clock = createClock(clocks, (entry) => log.push(entry));
  const pass = (ms: number) => {
    state.wall += ms;
    state.monotonic += ms;
  };
  return { state, log, clock, pass };
}

test('the relay is asked at the start, then once an hour', async () => {
  const { state, clock, pass } = machine(() => state.wall);
  for (let minute = 0; minute < 130; minute++, pass(minuteMs)) await clock.check();
  expect(state.asked).toBe(3);
});

test('without an answer the clock of the start is believed, and the relay is asked again', async () => {
  let relay: number | undefined;
  const { state, clock, log, pass } = machine(() => relay);
  await clock.check();
  expect(clock.agrees()).toBe(true);
  pass(minuteMs);
  relay = noon - hourMs;
  await clock.check();
  expect(state.asked).toBe(2);
  expect(clock.agrees()).toBe(false);
  expect(log).toMatchObject([{ event: 'clock.wrong' }]);
});

test('a step of more than ten minutes is noticed at once, logged once, and over when it is taken back', async () => {
  const { state, clock, log, pass } = machine(() => undefined);
  await clock.check();
  for (const [ms, agrees] of [
    [10 * minuteMs, true],
    [1, false],
    [-20 * minuteMs - 1, true],
    [-1, false],
    [10 * minuteMs + 1, true],
  ] as const) {
    state.wall += ms;
    expect(clock.agrees()).toBe(agrees);
  }
  state.wall += 24 * hourMs;
  expect(clock.agrees()).toBe(false);
  for (let n = 0; n < 3; n++, pass(minuteMs)) await clock.check();
  state.wall -= 24 * hourMs;
  expect(clock.agrees()).toBe(true);
  for (let n = 0; n < 3; n++, pass(minuteMs)) await clock.check();
  expect(log).toEqual([
    { event: 'clock.wrong', level: 'error', aheadSeconds: 24 * 3600 },
    { event: 'clock.right' },
  ]);
});

test('a machine that slept goes on with the next check, without a word', async () => {
  const { state, clock, log } = machine(() => state.wall);
  await clock.check();
  state.wall += 8 * hourMs;
  expect(clock.agrees()).toBe(false);
  await clock.check();
  expect(clock.agrees()).toBe(true);
  expect(log).toEqual([]);
});

test('the time by SNS is the date of its answer, whatever it answers, and unknown without one', async () => {
  const sns = await startSns({ ...snsDefaults, port: 0 });
  const time = await askTime(new URL(`${sns.url}/`));
  await sns.close();
  expect(Math.abs((time ?? 0) - Date.now())).toBeLessThan(10 * minuteMs);
  expect(await askTime(new URL('http://127.0.0.1:1/'))).toBeUndefined();
});
