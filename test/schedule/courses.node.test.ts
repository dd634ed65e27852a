import { expect, test } from 'vitest';
import { wallAt } from '../../simulator/oracle/clock.ts';
import { createDraws } from '../../simulator/random-draws.ts';
import { zoneNames } from '../../src/schedule/zones.ts';
import { draws, seed } from '../support/seed.ts';
import { CourseDriver } from './course-driver.ts';
import { dayOf, type Given, type Own, SlowCourse } from './course-oracle.ts';
import { DAY, MINUTE } from './fixtures.ts';
import { clockChanges, dateOf, type Ended } from './trip-oracle.ts';

/** Each has a number, which is its seed. */
const courses = draws(5_000);

const times = ['0 0', '30 1', '30 2', '0 3', '0 9', '30 23', '59 23'];
const changing = zoneNames.filter((zone) => clockChanges(zone).length > 0);
const leapDay = Date.parse('2028-02-29T12:00:00Z');
const expiries = [30, 360, 1440, 3 * 1440, 14 * 1440];

interface Met {
  zones: Set<string>;
  moves: Record<string, number>;
  ends: Record<string, number>;
  atOnce: number;
}

/** One person's weeks around a change of the clocks somewhere, or a leap day. Throws what is wrong. */
function live(number: number, met: Met) {
  const { below, one, chance } = createDraws(number);
  const place = one(changing);
  const middle = chance(0.1) ? leapDay : one(clockChanges(place));
  const somewhere = () => (chance(0.6) ? place : one(zoneNames));
  const days = (): Given['days'] => {
    if (chance(0.5)) {
      const list = Array.from({ length: 1 + below(8) }, () => (chance(0.2) ? -below(10) : below(30)));
      return list.some((day) => day >= 0) ? list : [...list, 0];
    }
    const every = 1 + below(9);
    return { every, times: 1 + below(9), ...(chance(0.5) && { burst: 1 + below(every) }) };
  };
  const given: Given = {
    recurrence: `${one(times)} * * *`,
    from: one(['download', 'joined', { date: 'surgery' }, { date: 'surgery' }] as const),
    days: days(),
    expiresAfter: one(expiries),
  };
  const zone = somewhere();
  const joinedAt = middle - below(20 * 24 * 60) * MINUTE;
  const joined = { day: dayOf(wallAt(joinedAt, zone).slice(0, 10)), at: joinedAt };
  const own: Own = { zone, dates: new Map(), time: null, participationDays: { days: null, at: 0 } };
  const slow = new SlowCourse(given, joined, own);
  const driver = new CourseDriver({
    reminders: JSON.stringify({ type: 'fixed', notification: { subject: '', body: '' }, ...given }),
    ...{ joinedOn: dateOf(joined.day), joinedAt, startsOn: '2026-01-01', timeZone: zone },
  });
  const columns = (of: Own) => ({
    dates: JSON.stringify(
      Object.fromEntries(
        [...of.dates].map(([name, { day, at }]) => [name, [day === null ? null : dateOf(day), at, at]]),
      ),
    ),
    participation:
      of.time &&
      JSON.stringify({
        ...(of.time.from !== null && { from: dateOf(of.time.from) }),
        ...(of.time.until !== null && { until: dateOf(of.time.until) }),
        at: of.time.at,
      }),
    course: JSON.stringify({
      dates: ['surgery'],
      participationDays: of.participationDays.days,
      since: of.participationDays.at,
    }),
    timeZone: of.zone,
  });

  let now = joinedAt;
  const nearby = () => Math.floor(now / DAY) + below(25) - 12;
  const moves: Record<string, () => Own> = {
    date: () => ({ ...slow.own, dates: new Map([['surgery', { day: nearby(), at: now }]]) }),
    // The date as it was, or the one before: a slip that is mended.
    back: () => ({ ...slow.own, dates: new Map(earlier.dates) }),
    gone: () => ({ ...slow.own, dates: new Map([['surgery', { day: null, at: now }]]) }),
    zone: () => ({ ...slow.own, zone: somewhere() }),
    time: () => {
      const [from, until] = [chance(0.5) ? nearby() : null, chance(0.7) ? nearby() : null];
      const isTime = from === null || until === null || from <= until;
      return { ...slow.own, time: isTime ? { from, until, at: now } : { from: null, until: null, at: now } };
    },
    days: () => ({ ...slow.own, participationDays: { days: chance(0.3) ? null : 1 + below(30), at: now } }),
  };
  let earlier = own;
  const ring = (at: number) => {
    const ended = driver.ring(at);
    expectSame(ended, slow.ring(at));
    for (const { state, reason } of ended) met.ends[reason ?? state] = (met.ends[reason ?? state] ?? 0) + 1;
  };
  const check = () => {
    const { pending } = driver;
    expectSame(pending && { on: pending.key, dueAt: pending.dueAt }, slow.next());
  };
  /** Rings in time, up to an instant. */
  const pass = (until: number) => {
    while (driver.pending && driver.pending.nextAttemptAt <= until) {
      now = Math.max(now, driver.pending.nextAttemptAt);
      ring(now);
      check();
    }
    now = until;
  };

  driver.course = columns(own);
  driver.plan(now);
  check();
  for (let n = 3 + below(8); n > 0; n--) {
    const until = now + below(5 * 24 * 60) * MINUTE;
    // Alarms ring in time, or not at all for a while.
    if (chance(0.85)) pass(until);
    now = until;
    const kind = one(Object.keys(moves));
    const moved = (moves[kind] as () => Own)();
    if (kind === 'back' && moved.dates.size > 0)
      moved.dates = new Map([...moved.dates].map(([name, { day }]) => [name, { day, at: now }]));
    earlier = slow.own;
    const before = driver.pushed.length;
    const shown = driver.preview(columns(moved), now);
    slow.own = moved;
    driver.course = columns(moved);
    met.moves[kind] = (met.moves[kind] ?? 0) + 1;
    met.zones.add(moved.zone);
    // Plans may come late, after the alarm that they should have moved.
    const early = chance(0.2) ? driver.ring(now) : undefined;
    driver.plan(now);
    if (early) {
      const ended = [...early, ...driver.ring(now)];
      // A plan would have taken back what had expired before the change, or was due, by the new clock, before they joined.
      const isBefore = ({ on, reason }: Ended) => reason === 'expired' || slow.dueAt(dayOf(on)) <= joinedAt;
      const before = ended.filter((one) => isBefore(one) && !slow.exists(one.on));
      for (const { on } of before) slow.pass(on);
      expectSame(
        ended.filter((one) => !before.includes(one)),
        slow.ring(now),
      );
      if (before.length > 0) continue;
    }
    check();
    if (chance(0.3)) continue;
    // The change does exactly what it shows, as far as nothing else changes.
    ring(now);
    check();
    const last = shown.at(-1);
    if (!chance(0.5) || last === undefined) continue;
    pass(Math.max(now, last));
    const pushed = driver.pushed.slice(before).map(({ dueAt }) => dueAt);
    expectSame(pushed, shown);
    if (shown[0] !== undefined && shown[0] <= slowest(driver, before)) met.atOnce++;
  }
  ring(now + 20 * DAY);
  check();
}

const slowest = ({ pushed }: CourseDriver, n: number) => (pushed[n]?.at ?? 0) - 1;

function expectSame(found: unknown, wanted: unknown) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`found ${one}, expected ${other}`);
}

const slice = 10_000;

test(`in ${courses} courses each date comes once, as the person's dates and time have it when it is due`, async () => {
  const met: Met = { zones: new Set(), moves: {}, ends: {}, atOnce: 0 };
  const wrong: string[] = [];
  const first = seed * slice;
  for (let n = 0; n < courses && wrong.length < 20; n++) {
    try {
      live(first + n, met);
    } catch (error) {
      wrong.push(`course ${first + n}: ${error instanceof Error ? error.message : error}`);
    }
    if (n % slice === slice - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(wrong).toEqual([]);
  console.log(JSON.stringify({ courses, ...met, zones: met.zones.size }));
  expect(Object.keys(met.ends).sort()).toEqual(['expired', 'sent', 'superseded']);
  expect(Object.keys(met.moves).sort()).toEqual(['back', 'date', 'days', 'gone', 'time', 'zone']);
  expect(met.atOnce).toBeGreaterThan(courses / 100);
});
