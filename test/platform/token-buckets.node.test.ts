import { expect, test } from 'vitest';
import { tokenBuckets } from '../../src/platform/server/token-buckets.ts';

function clock() {
  let at = 1_000_000;
  return { now: () => at, pass: (ms: number) => (at += ms) };
}

const several = async (times: number, ask: () => Promise<{ allowed: boolean }>) => {
  let allowed = 0;
  for (let n = 0; n < times; n++) if ((await ask()).allowed) allowed++;
  return allowed;
};

test('a burst of the limit is let through, and then one more as often as the pace says', async () => {
  const { now, pass } = clock();
  const ask = tokenBuckets(20, now);
  expect(await several(30, () => ask('ada'))).toBe(20);
  expect(await ask('ada')).toEqual({ allowed: false, retryAfterSeconds: 1 });
  expect(await several(30, () => ask('bruno')), 'another key has its own').toBe(20);
  pass(500);
  expect(await several(5, () => ask('ada'))).toBe(1);
  pass(3_600_000);
  expect(await several(30, () => ask('ada')), 'a bucket never holds more').toBe(20);
});

test('Retry-After is when the next one passes', async () => {
  const { now, pass } = clock();
  const ask = tokenBuckets(2, now);
  await several(2, () => ask('ada'));
  const refused = await ask('ada');
  expect(refused).toEqual({ allowed: false, retryAfterSeconds: 5 });
  pass(4_999);
  expect((await ask('ada')).allowed).toBe(false);
  pass(1);
  expect((await ask('ada')).allowed).toBe(true);
});

test('a clock that goes back gives nothing, and takes nothing', async () => {
  const { now, pass } = clock();
  const ask = tokenBuckets(10, now);
  await several(5, () => ask('ada'));
  pass(-60_000);
  expect(await several(10, () => ask('ada'))).toBe(5);
});

test('0 is no limit', async () => {
  expect(await several(5000, () => tokenBuckets(0)('ada'))).toBe(5000);
});

test('memory is bounded: what was used longest ago is forgotten, what is in use is not', async () => {
  const { now } = clock();
  const ask = tokenBuckets(1, now);
  await ask('old');
  for (let n = 0; n < 10_500; n++) {
    await ask(`other ${n}`);
    if (n % 1000 === 0) await ask('busy');
  }
  expect((await ask('busy')).allowed).toBe(false);
  expect((await ask('old')).allowed).toBe(true);
});
