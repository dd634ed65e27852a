import { expect, test } from 'vitest';
import { createDraws } from '../../simulator/random-draws.ts';
import { zoneNames } from '../../src/schedule/zones.ts';
import { draws, seed } from '../support/seed.ts';
import { DAY, MINUTE, ruleOf } from './fixtures.ts';
import { TripDriver, type Zones, zoneOf } from './trip-driver.ts';
import { clockChanges, dateOf, SlowReminders } from './trip-oracle.ts';

/** Each has a number, which is its seed. */
const trips = draws(5_000);

const times = ['00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '08:00', '23:30', '23:59'];
const rules = [
  { days: '*', weekdays: [0, 1, 2, 3, 4, 5, 6] },
  { days: '*', weekdays: [0, 1, 2, 3, 4, 5, 6] },
  { days: '0,6', weekdays: [0, 6] },
  { days: '1-5', weekdays: [1, 2, 3, 4, 5] },
].flatMap(({ days, weekdays }) =>
  times.map((time) => {
    const [hour, minute] = time.split(':').map(Number);
    return { time, weekdays, rule: ruleOf('rolling', `${minute} ${hour} * * ${days}`) };
  }),
);
const changing = zoneNames.filter((zone) => clockChanges(zone).length > 0);

interface Met {
  zones: Set<string>;
  changes: Set<string>;
  ends: Record<string, number>;
  clocks: Record<string, number>;
}

/** One person's week or so around a change of the clocks somewhere. Throws what is wrong. */
function travel(number: number, met: Met) {
  const { below, one, chance } = createDraws(number);
  const place = one(changing);
  const change = one(clockChanges(place));
  // Around the change of the clocks: of the phone's zone, of the person's own, or of the study's.
  const somewhere = () => (chance(0.4) ? place : one(zoneNames));
  const maybe = () => (chance(0.3) ? null : somewhere());
  const zones: Zones = { device: maybe(), user: maybe(), study: somewhere() };
  const { rule, time, weekdays } = one(rules);
  const clock = one(['participant', 'participant', 'study'] as const);
  // Three days are more than reminders may set: then several dates are valid at once.
  const expiresAfter = one([30, 360, 1440, 3 * 1440]);
  const since = change - (chance(0.25) ? below(240) - 120 : below(4 * 24 * 60)) * MINUTE;
  const start = Math.floor(since / DAY) - 2;
  const driver = new TripDriver({ rule, clock, start: dateOf(start), since, expiresAfter }, zones);
  const clockZone = () => (clock === 'study' ? driver.zones.study : zoneOf(driver.zones));
  const expiryMs = expiresAfter * MINUTE;
  const slow = new SlowReminders({ time, weekdays, start, since, expiryMs, zone: clockZone() });

  const ring = (now: number) => {
    const ended = driver.ring(now);
    expectSame(ended, slow.ring(now));
    for (const { state, reason } of ended) met.ends[reason ?? state] = (met.ends[reason ?? state] ?? 0) + 1;
  };
  const check = () => {
    const { pending } = driver;
    expectSame(pending && { on: pending.key, dueAt: pending.dueAt }, slow.next());
  };

  const ringBeforePlan = () => {
    now = Math.max(now, driver.pending?.nextAttemptAt ?? now) + (chance(0.5) ? below(30 * 60) * MINUTE : 0);
    const ended = driver.ring(now);
    driver.plan(now);
    ended.push(...driver.ring(now));
    // A plan would have taken back what was due, by the new clock, before the person was there.
    for (const { on } of ended) if (!slow.exists(on)) slow.pass(on);
    expectSame(
      ended.filter(({ on }) => slow.exists(on)),
      slow.ring(now),
    );
  };

  let now = since;
  driver.plan(now);
  check();
  const moves = 2 + below(7);
  for (let n = 0; n <= moves; n++) {
    // The last stretch is long enough for everything that is missed to show.
    const until = n === moves ? now + 3 * DAY : now + below(36 * 60) * MINUTE;
    // Alarms ring in time, or not at all for a while.
    while (!chance(0.03) && driver.pending && driver.pending.nextAttemptAt <= until) {
      now = Math.max(now, driver.pending.nextAttemptAt);
      ring(now);
      check();
    }
    now = until;
    if (n === moves) break;
    const moved = one(['device', 'device', 'user', 'study'] as const);
    driver.zones = { ...driver.zones, [moved]: moved === 'study' ? somewhere() : maybe() };
    slow.zone = clockZone();
    met.zones.add(clockZone());
    // Plans may come late, after the alarm that they should have moved.
    if (chance(0.2)) ringBeforePlan();
    driver.plan(now);
    check();
    if (chance(0.9)) ring(now);
  }
  ring(now);
  check();
  met.changes.add(`${place} ${change}`);
  met.clocks[clock] = (met.clocks[clock] ?? 0) + 1;
}

function expectSame(found: unknown, wanted: unknown) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`found ${one}, expected ${other}`);
}

const slice = 10_000;

test(`on ${trips} trips through all zones, whatever moves, each date reminds once, when the clock that holds says`, async () => {
  const met: Met = { zones: new Set(), changes: new Set(), ends: {}, clocks: {} };
  const wrong: string[] = [];
  const first = seed * slice;
  for (let n = 0; n < trips && wrong.length < 20; n++) {
    try {
      travel(first + n, met);
    } catch (error) {
      wrong.push(`trip ${first + n}: ${error instanceof Error ? error.message : error}`);
    }
    if (n % slice === slice - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(wrong).toEqual([]);
  console.log(
    JSON.stringify({ trips, zones: met.zones.size, changes: met.changes.size, ...met.ends, ...met.clocks }),
  );
  expect(Object.keys(met.ends).sort()).toEqual(['expired', 'sent', 'superseded']);
  expect(Object.keys(met.clocks).sort()).toEqual(['participant', 'study']);
  expect(met.zones.size).toBe(zoneNames.length);
  expect(met.changes.size).toBeGreaterThan(Math.min(trips, changing.length * 6) / 3);
});
