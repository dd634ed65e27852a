import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Stored } from '../../simulator/facts.ts';
import type { findViolations } from '../../simulator/invariants.ts';
import type { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import type { Row } from '../../simulator/tables.ts';
import type * as course from '../../src/schedule/course.ts';
import type * as occurrences from '../../src/schedule/occurrences.ts';
import type * as windows from '../../src/schedule/windows.ts';
import { daily, datesOf, diary, june, outcomeOf, pushesTo, spoilt } from './support.ts';

type Events = NonNullable<ScenarioFile['events']>;

/** At noon, on days that are counted from the surgery. */
const counted = (days: unknown, more: object = {}) => ({
  ...daily,
  type: 'fixed',
  from: { date: 'surgery' },
  days,
  ...more,
});

const moves = (day: number, time: string, change: object): Events[number] =>
  ({ at: june(day, time), who: 'Ada', does: 'moves-dates', of: 'Chidi', ...change }) as Events[number];

/** A study of surgeries in UTC: Ada owns it, Chidi has a phone. */
function surgeries(
  reminders: object,
  { chidi = {}, ...changes }: Partial<ScenarioFile> & { chidi?: object },
) {
  return diary({
    until: june(14, '20:00:00'),
    study: { timeZone: 'UTC', startsOn: '2027-06-08', dates: ['surgery'] },
    surveys: [{ name: 'Diary', reminders: reminders as never }],
    members: [
      { name: 'Ada', role: 'owner' },
      { name: 'Chidi', phones: [{ name: 'pixel', timeZone: 'UTC' }], ...chidi },
    ],
    ...changes,
  });
}

async function outcome(...study: Parameters<typeof surgeries>) {
  const found = await outcomeOf(surgeries(...study));
  expect(found.violations).toEqual([]);
  expect(found.refusals).toEqual([]);
  return { dates: datesOf(found, 'Chidi'), pushes: pushesTo(found, 'Chidi').map((at) => at.slice(0, 8)) };
}

describe('Chidi is reminded', () => {
  test('as his surgery moves forwards, back and away; of a day that is still open at once', async () => {
    const events = [
      moves(9, '09:00:00', { dates: { surgery: '2027-06-12' } }),
      moves(11, '14:00:00', { dates: { surgery: '2027-06-11' } }),
      moves(12, '09:00:00', { dates: { surgery: null } }),
    ];
    expect(await outcome(counted([0, 1]), { chidi: { dates: { surgery: '2027-06-10' } }, events })).toEqual({
      dates: ['2027-06-10 invalidated: date-moved', '2027-06-11 sent', '2027-06-12 invalidated: date-moved'],
      pushes: ['11 14:00'],
    });
  });

  test('before a surgery, and of no day that was over when its date was told', async () => {
    const events = [moves(10, '19:00:00', { dates: { surgery: '2027-06-12' } })];
    expect((await outcome(counted([-3, -2, -1, 0]), { events })).pushes).toEqual(['11 12:00', '12 12:00']);
  });

  test('within his own time, or for as many days as the study says', async () => {
    const joined = counted({ every: 1, times: 6 }, { from: 'joined' });
    const study = { timeZone: 'UTC', dates: ['surgery'], participationDays: 3 };
    expect((await outcome(joined, { study })).pushes).toEqual(['08 12:00', '09 12:00', '10 12:00']);
    const participation = { from: '2027-06-09', until: '2027-06-12' };
    const events = [moves(11, '09:00:00', { participation: { until: '2027-06-10' } })];
    expect(await outcome(joined, { study, chidi: { participation }, events })).toEqual({
      dates: [
        '2027-06-08 invalidated: not-participating',
        '2027-06-09 sent',
        '2027-06-10 sent',
        '2027-06-11 invalidated: not-participating',
      ],
      pushes: ['09 12:00', '10 12:00'],
    });
  });

  test('of a visit that stays open for days: once, and again at noon of a later day', async () => {
    const visit = counted([1], { expiresAfter: 6 * 1440, followUps: { every: 2880, max: 2 } });
    const found = await outcome(visit, { chidi: { dates: { surgery: '2027-06-07' } } });
    expect(found.pushes).toEqual(['08 12:00', '10 12:00', '12 12:00']);
    expect(found.dates).toEqual(['2027-06-08 sent']);
  });

  test('on two weekdays of each week, which are drawn', async () => {
    const { pushes } = await outcome({ ...daily, pick: 2 }, { until: june(21, '20:00:00') });
    const weeks = pushes.map((at) => Math.floor((Number(at.slice(0, 2)) - 8) / 7));
    expect(weeks).toEqual([0, 0, 1, 1]);
  });
});

/** A study that goes well: a surgery on the 9th, a time that ends on the 10th, and a visit that stays open. */
const well = () =>
  surgeries(counted([0, 1, 2, 3]), {
    chidi: { dates: { surgery: '2027-06-09' } },
    events: [moves(10, '18:30:00', { participation: { until: '2027-06-10' } })],
    until: june(12, '20:00:00'),
  });

describe('the checker finds', () => {
  const changed = (which: (row: Row) => boolean, change: Partial<Row>) => (stored: Stored) => {
    for (const row of stored.rows.filter(which)) Object.assign(row, change);
  };
  const isSent = ({ state }: Row) => state === 'sent';

  test.each<[string, (stored: Stored) => unknown, RegExp]>([
    [
      'a date that had not moved',
      changed(isSent, { state: 'skipped', reason: 'date-moved' }),
      /2027-06-09: date-moved at .*, which was not so/,
    ],
    [
      'somebody whose time had not ended',
      changed(isSent, { state: 'skipped', reason: 'not-participating' }),
      /2027-06-10: not-participating at .*, which was not so/,
    ],
    [
      'a date that got lost',
      ({ surveysOfMembers }) => {
        for (const one of surveysOfMembers) one.dates = {};
      },
      /Chidi, Diary: other dates are kept: \[\]/,
    ],
    [
      'a time that got lost',
      ({ surveysOfMembers }) => {
        for (const one of surveysOfMembers) one.participation = null;
      },
      /Chidi, Diary: another time is kept: null/,
    ],
    [
      'a plan beyond the time',
      ({ rows }) => {
        for (const row of rows.filter(({ on }) => on === '2027-06-11'))
          Object.assign(row, { settledAt: null });
      },
      /expected to be pending: nothing; found 2027-06-11/,
    ],
  ])('%s', async (_, spoil, message) => {
    expect(await spoilt(well(), spoil)).toContainEqual(expect.stringMatching(message));
  });
});

describe('the checker finds a service that', () => {
  let fault = '';
  afterEach(() => {
    fault = '';
  });
  const paths = {
    course: '../../src/schedule/course.ts',
    occurrences: '../../src/schedule/occurrences.ts',
    windows: '../../src/schedule/windows.ts',
  };
  /** The simulator around a service that can be broken. Test files share modules, so this one has copies of its own. */
  let broken: { simulate: typeof simulate; findViolations: typeof findViolations };

  beforeAll(async () => {
    vi.resetModules();
    vi.doMock(paths.course, async (original) => {
      const real = await original<typeof course>();
      const timeOf: typeof real.timeOf = (given) => {
        const time = real.timeOf(given);
        return fault === 'never ends' ? { ...time, until: null } : time;
      };
      const isOutside: typeof real.isOutside = (...of) =>
        fault === 'nudges beyond the time' ? false : real.isOutside(...of);
      return { ...real, timeOf, isOutside };
    });
    vi.doMock(paths.occurrences, async (original) => {
      const real = await original<typeof occurrences>();
      const timeOfDay: typeof real.timeOfDay = (...of) =>
        real.timeOfDay(...of) + (fault === 'nudges late' ? 3_600_000 : 0);
      return { ...real, timeOfDay };
    });
    vi.doMock(paths.windows, async (original) => {
      const real = await original<typeof windows>();
      const drawNumbers: typeof real.drawNumbers = (draw, occasion) =>
        real.drawNumbers(fault === 'draws for all alike' ? real.exampleDraw : draw, occasion);
      return { ...real, drawNumbers };
    });
    broken = {
      ...(await import('../../simulator/run.ts')),
      ...(await import('../../simulator/invariants.ts')),
    };
  });
  afterAll(() => {
    for (const path of Object.values(paths)) vi.doUnmock(path);
    vi.resetModules();
  });

  const visit = counted([0], { expiresAfter: 6 * 1440, followUps: { every: 1440, max: 4 } });
  const chidi = { dates: { surgery: '2027-06-08' } };
  const planted: [string, ScenarioFile, RegExp][] = [
    [
      'never ends',
      surgeries(counted({ every: 1, times: 9 }, { from: 'joined' }), {
        study: { timeZone: 'UTC', dates: ['surgery'], participationDays: 2 },
      }),
      /2027-06-10, sent .*outside of their time/,
    ],
    ['nudges late', surgeries(visit, { chidi }), /is none that is owed/],
    [
      'nudges beyond the time',
      surgeries(visit, { chidi, events: [moves(9, '20:00:00', { participation: { until: '2027-06-07' } })] }),
      /pushed again .*: outside of their time/,
    ],
    [
      'draws for all alike',
      surgeries({ ...daily, pick: 3 }, { until: june(30, '20:00:00') }),
      /expected to be pending|not listed/,
    ],
  ];

  test.each(planted)('%s', async (name, file, message) => {
    expect(await broken.simulate(readScenario(file), broken.findViolations)).toEqual([]);
    fault = name;
    const found = await broken.simulate(readScenario(file), broken.findViolations);
    expect(found).toContainEqual(expect.stringMatching(message));
  });
});
