import { expect, test } from 'vitest';
import { simulateHerd } from '../../../dev/simulator/herd.ts';

test('10,000 users due in the same minute, at 1,000 queries and 300 pushes a second: all sent, once', async () => {
  const { sent, twice, excused, lost, unplanned, lateMs, database, throttled } = await simulateHerd({
    users: 10_000,
  });
  console.log(JSON.stringify({ lateMs, database, throttled, twice, excused }));
  expect({ sent, lost, unplanned, unexcused: twice - excused }).toEqual({
    sent: 10_000,
    lost: {},
    unplanned: 0,
    unexcused: 0,
  });
  // A repeated push is one whose record could not be written for fifteen seconds.
  expect(twice).toBeLessThan(100);
  expect(database.overloaded).toBeGreaterThan(0);
  expect(lateMs.p99).toBeLessThan(5 * 60_000);
}, 600_000);
