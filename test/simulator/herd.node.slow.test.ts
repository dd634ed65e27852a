import { expect, test } from 'vitest';
import { type HerdOptions, simulateHerd } from '../../simulator/herd.ts';

/** So many that those without delivery objects take too long. `npm run simulate -- --herd` runs any number. */
const herd = 1_500;
/** People whom a trouble meets. */
const few = 500;

/** Runs people who are due in the same minute: all get it, once. How late the last one in a hundred is. */
async function lateness(options: Partial<HerdOptions>): Promise<number> {
  const { users = herd } = options;
  const results = await simulateHerd({ users, ...options });
  const { sent, twice, excused, lost, unplanned, lateMs, database, throttled } = results;
  console.log(JSON.stringify({ ...options, lateMs, database, throttled, twice }));
  expect({ sent, lost, unplanned, unexcused: twice - excused }).toEqual({
    sent: users,
    lost: {},
    unplanned: 0,
    unexcused: 0,
  });
  return lateMs.p99 / 1000;
}

// The quota alone takes 5 s.
test(`${herd} people due in the same minute, at 300 pushes a second: 99 in 100 within 9 s`, async () => {
  expect(await lateness({ pushesPerSecond: 300 })).toBeLessThan(9);
});

test(`${herd} people due in the same minute, at 9,000 pushes a second: 99 in 100 within 6 s, not without delivery objects`, async () => {
  expect(await lateness({ pushesPerSecond: 9_000 })).toBeLessThan(6);
  expect(await lateness({ pushesPerSecond: 9_000, objects: 0 })).toBeGreaterThan(6);
});

test('a crash and two resets of all delivery objects in the middle lose nobody, and repeat only what was not recorded', async () => {
  const options = { users: few, pushesPerSecond: 9_000, trouble: 'death' as const };
  // A turn that has died is over after a minute.
  expect(await lateness(options)).toBeLessThan(75);
});

test.each([
  ['a database that refuses everything for 15 s', 'refusal', 60],
  ['alarms that are lost: the sweep brings a thousand a minute', 'lost-alarms', 180],
  ['alarms that are held for a day and ring at once, without a sweep meanwhile', 'held-alarms', 10],
  ['objects on two versions of the code', 'two-versions', 75],
] as const)('%s: all get it, once', async (_, trouble, seconds) => {
  expect(await lateness({ users: few, pushesPerSecond: 9_000, trouble })).toBeLessThan(seconds);
});
