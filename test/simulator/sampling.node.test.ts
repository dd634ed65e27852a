import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { findViolations } from '../../simulator/invariants.ts';
import type { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import type * as quietHours from '../../src/schedule/quiet-hours.ts';
import type * as slotTimes from '../../src/schedule/slot-times.ts';
import type * as windows from '../../src/schedule/windows.ts';
import type { outcomeOf } from './support.ts';
import { daily, datesOf, diary, june, pushesTo } from './support.ts';

/** The fault of the service; none by default. */
let fault = '';
afterEach(() => {
  fault = '';
});

const paths = {
  quietHours: '../../src/schedule/quiet-hours.ts',
  slotTimes: '../../src/schedule/slot-times.ts',
  windows: '../../src/schedule/windows.ts',
};
/** The simulator around a service that can be broken. Test files share modules, so this one has copies of its own. */
let simulator: {
  outcomeOf: typeof outcomeOf;
  simulate: typeof simulate;
  findViolations: typeof findViolations;
};

beforeAll(async () => {
  vi.resetModules();
  vi.doMock(paths.quietHours, async (original) => {
    const real = await original<typeof quietHours>();
    const quietUntil: typeof real.quietUntil = (at, hours, zone) => {
      if (fault === 'disturbs') return null;
      const until = real.quietUntil(at, hours, zone);
      if (fault === 'ends-late' && until !== null) return until + 40 * 3600_000;
      return fault === 'always-quiet' ? at + 24 * 3600_000 : until;
    };
    return { ...real, quietUntil };
  });
  vi.doMock(paths.slotTimes, async (original) => {
    const real = await original<typeof slotTimes>();
    const shifted: typeof real.slotTimes = (of, day) => {
      const times = real.slotTimes(of, day);
      if (fault === 'outside') return times.map((at) => at + 5 * 3600_000);
      return fault === 'disorder' ? times.toReversed() : times;
    };
    return { ...real, slotTimes: shifted };
  });
  vi.doMock(paths.windows, async (original) => {
    const real = await original<typeof windows>();
    const drawMinutes: typeof real.drawMinutes = (of, draw, date) =>
      real.drawMinutes(of, fault === 'shared' ? real.exampleDraw : draw, date);
    const slotsOf: typeof real.slotsOf = (of) => real.slotsOf(of) - (fault === 'loses-last' ? 1 : 0);
    return { ...real, drawMinutes, slotsOf };
  });
  simulator = {
    ...(await import('./support.ts')),
    ...(await import('../../simulator/run.ts')),
    ...(await import('../../simulator/invariants.ts')),
  };
});

afterAll(() => {
  for (const path of Object.values(paths)) vi.doUnmock(path);
  vi.resetModules();
});

const sampling = {
  ...daily,
  recurrence: '* * * * *',
  windows: [
    { from: '09:00', to: '12:00', count: 2 },
    { from: '12:00', to: '18:00', count: 2 },
  ],
  minGap: 20,
};

const sampled = (changes: Partial<ScenarioFile> = {}) =>
  diary({ surveys: [{ name: 'Diary', reminders: sampling }], ...changes });

/** Reminded at noon, and asleep from eleven to two. */
const siesta = (more: object = {}): ScenarioFile =>
  diary({
    surveys: [{ name: 'Diary', reminders: { ...daily, ...more } }],
    members: [
      { name: 'Ada', role: 'owner' },
      {
        name: 'Chidi',
        phones: [{ name: 'pixel', timeZone: 'UTC' }],
        quietHours: { from: '11:00', to: '14:00' },
      },
    ],
  });

describe('windows', () => {
  test('bring each of a date once, in order, over an outage, a crash and a journey', async () => {
    const plain = await simulator.outcomeOf(sampled());
    expect(plain.violations).toEqual([]);
    expect(pushesTo(plain, 'Chidi')).toHaveLength(8);
    const outcome = await simulator.outcomeOf(
      sampled({
        events: [{ at: june(8, '13:00:00'), who: 'Chidi', does: 'travels', to: 'America/New_York' }],
        faults: [
          { what: 'relay', is: 'down', from: june(8, '09:00:00'), until: june(8, '10:00:00') },
          { what: 'crash', at: june(9, '10:00:00'), point: 'after-publish', downSeconds: 3600 },
        ],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi').filter((date) => date.startsWith('2027-06-08'))).toHaveLength(4);
  });

  test.each([
    ['a slot outside its window', 'outside', /2027-06-0\d\/00\d: at .*, which is not its minute/],
    ['minutes that everyone shares', 'shared', /which is not its minute/],
    ['a later slot before an earlier one', 'disorder', /which is not its minute/],
    ['a slot that never comes', 'loses-last', /was due and has no record|expected to be pending/],
  ])('the checks notice %s', async (_, what, message) => {
    fault = what;
    expect((await simulator.outcomeOf(sampled())).violations).toContainEqual(expect.stringMatching(message));
  });

  test('the checks notice occurrences that reach a phone in another order', async () => {
    const violations = await simulator.simulate(readScenario(sampled()), async (run) => {
      const [first, second] = run.relay.accepted;
      if (first && second) [first.collapseId, second.collapseId] = [second.collapseId, first.collapseId];
      return simulator.findViolations(run);
    });
    expect(violations).toContainEqual(expect.stringMatching(/got 2027-06-08\/000 after 2027-06-08\/001/));
  });
});

describe('quiet hours', () => {
  test('put off what is due, and what expires in them is skipped', async () => {
    const outcome = await simulator.outcomeOf(siesta());
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi').map((at) => at.slice(0, 8))).toEqual(['08 14:00', '09 14:00']);
    const hasty = await simulator.outcomeOf(siesta({ expiresAfter: 60 }));
    expect(hasty.violations).toEqual([]);
    expect(datesOf(hasty, 'Chidi').slice(0, 2)).toEqual([
      '2027-06-08 skipped: quiet-hours',
      '2027-06-09 skipped: quiet-hours',
    ]);
  });

  test('end when the user says so, also while everything else goes wrong', async () => {
    const outcome = await simulator.outcomeOf({
      ...siesta(),
      events: [
        { at: june(8, '12:30:00'), who: 'Chidi', does: 'chooses-quiet-hours', quietHours: null },
        {
          at: june(9, '11:30:00'),
          who: 'Chidi',
          does: 'chooses-quiet-hours',
          quietHours: { from: '22:00', to: '13:00' },
        },
      ],
      faults: [
        { what: 'alarms', is: 'lost', from: june(8, '08:00:00'), until: june(9, '20:00:00') },
        {
          what: 'database',
          is: 'overloaded',
          share: 0.3,
          from: june(8, '12:00:00'),
          until: june(8, '12:40:00'),
        },
      ],
    });
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi').map((at) => at.slice(0, 5))).toEqual(['08 12', '09 13']);
  });

  test.each([
    ['a push within them', 'disturbs', /Chidi, Diary, 2027-06-08, .*: quiet hours/],
    [
      'a skip although they end in time',
      'ends-late',
      /skipped for quiet hours at .*, which did not outlast it/,
    ],
    ['a skip without any', 'always-quiet', /skipped for quiet hours at .*, which did not outlast it/],
  ])('the checks notice %s', async (_, what, message) => {
    fault = what;
    const file = what === 'always-quiet' ? diary() : siesta({ expiresAfter: 1440 });
    expect((await simulator.outcomeOf(file)).violations).toContainEqual(expect.stringMatching(message));
  });
});
