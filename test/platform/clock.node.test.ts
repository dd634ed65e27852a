import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askTime, type Clocks, compareClocks, createClock } from '../../src/platform/server/clock.ts';
import type { LogEntry } from '../../src/services.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const noon = Date.parse('2027-06-08T12:00:00Z');
/** The monotonic clock began two hours before noon. */
const offset = noon - 2 * hourMs;
/** By all clocks that are right, at this many minutes after noon. */
const at = (minutes: number) => ({
  wall: noon + minutes * minuteMs,
  monotonic: 2 * hourMs + minutes * minuteMs,
});

describe('the wall clock agrees', () => {
  test('while it runs on with the monotonic clock, and up to ten minutes beside it', () => {
    expect(compareClocks(offset, at(0))).toEqual({ offset, aheadMs: 0, agrees: true });
    for (const minutes of [-10, 10])
      expect(compareClocks(offset, { ...at(0), wall: noon + minutes * minuteMs }).agrees).toBe(true);
  });

  test('no more when it is set by more than that, ahead or back', () => {
    for (const ms of [10 * minuteMs + 1, 366 * 24 * hourMs, -10 * minuteMs - 1])
      expect(compareClocks(offset, { ...at(0), wall: noon + ms })).toEqual({
        offset,
        aheadMs: ms,
        agrees: false,
      });
  });

  test('after a sleep in which the monotonic clock stood still, once the relay says so, and from then on', () => {
    const awake = { wall: noon + 8 * hourMs, monotonic: 2 * hourMs };
    expect(compareClocks(offset, awake).agrees).toBe(false);
    const asked = compareClocks(offset, { ...awake, relay: awake.wall + 3_000 });
    expect(asked).toMatchObject({ agrees: true, aheadMs: -3_000 });
    const later = { wall: awake.wall + hourMs, monotonic: awake.monotonic + hourMs };
    expect(compareClocks(asked.offset, later).agrees).toBe(true);
  });

  test('not with a relay that shows another time, nor later without asking it', () => {
    const asked = compareClocks(offset, { ...at(0), relay: noon - hourMs });
    expect(asked).toMatchObject({ agrees: false, aheadMs: hourMs });
    expect(compareClocks(asked.offset, at(5)).agrees).toBe(false);
    expect(compareClocks(asked.offset, { ...at(5), wall: at(5).wall - hourMs }).agrees).toBe(true);
  });
});

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

test('a step is noticed at once, logged once, and over when it is taken back', async () => {
  const { state, clock, log, pass } = machine(() => undefined);
  await clock.check();
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

describe('the time by SNS', () => {
  let url = '';
  const dateless = createServer((_, response) => {
    response.sendDate = false;
    response.end();
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => dateless.listen(0, '127.0.0.1', resolve));
    const address = dateless.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address?.port}/`;
  });
  afterAll(() => dateless.close());

  test('is the date of its answer, whatever it answers', async () => {
    const sns = await startSns({ ...snsDefaults, port: 0 });
    const told = await askTime(new URL(`${sns.url}/`));
    await sns.close();
    expect(Math.abs((told ?? 0) - Date.now())).toBeLessThan(10 * minuteMs);
  });

  test('is unknown without a date, and without an answer', async () => {
    expect(await askTime(new URL(url))).toBeUndefined();
    expect(await askTime(new URL('http://127.0.0.1:1/'))).toBeUndefined();
  });

  test('is not told by a local SNS whose callers move their clocks', async () => {
    const sns = await startSns({ ...snsDefaults, port: 0, maxSkewMs: Number.POSITIVE_INFINITY });
    expect(await askTime(new URL(`${sns.url}/`))).toBeUndefined();
    await sns.close();
  });
});
