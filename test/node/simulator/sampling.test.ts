import { afterEach, describe, expect, test, vi } from 'vitest';
import { findViolations } from '../../../dev/simulator/invariants.ts';
import { simulate } from '../../../dev/simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../../dev/simulator/scenario.ts';
import { daily, datesOf, diary, june, outcomeOf, pushesTo } from './support.ts';

/** What the service gets wrong; it is right without any. */
const broken = vi.hoisted(() => ({ fault: '' }));
afterEach(() => {
  broken.fault = '';
});

vi.mock('../../../src/schedule/quiet-hours.ts', async (original) => {
  const real = await original<typeof import('../../../src/schedule/quiet-hours.ts')>();
  return {
    ...real,
    quietUntil: (...given: Parameters<typeof real.quietUntil>) => {
      if (broken.fault === 'disturbs') return null;
      const until = real.quietUntil(...given);
      if (broken.fault === 'ends-late' && until !== null) return until + 40 * 3600_000;
      return broken.fault === 'always-quiet' ? given[0] + 24 * 3600_000 : until;
    },
  };
});

vi.mock('../../../src/schedule/slot-times.ts', async (original) => {
  const real = await original<typeof import('../../../src/schedule/slot-times.ts')>();
  return {
    ...real,
    slotTimes: (...given: Parameters<typeof real.slotTimes>) => {
      const times = real.slotTimes(...given);
      if (broken.fault === 'outside') return times.map((at) => at + 5 * 3600_000);
      return broken.fault === 'disorder' ? times.toReversed() : times;
    },
  };
});

vi.mock('../../../src/schedule/windows.ts', async (original) => {
  const real = await original<typeof import('../../../src/schedule/windows.ts')>();
  return {
    ...real,
    drawMinutes: (windows: Parameters<typeof real.drawMinutes>[0], draw: { user: string }, date: string) => {
      const shared = { secret: 'known', user: '', revision: 0 };
      return real.drawMinutes(windows, broken.fault === 'shared' ? shared : (draw as typeof shared), date);
    },
    slotsOf: (windows: Parameters<typeof real.slotsOf>[0]) =>
      real.slotsOf(windows) - (broken.fault === 'loses-last' ? 1 : 0),
  };
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
    const plain = await outcomeOf(sampled());
    expect(plain.violations).toEqual([]);
    expect(pushesTo(plain, 'Chidi')).toHaveLength(8);
    const outcome = await outcomeOf(
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
  ])('the checks notice %s', async (_, fault, message) => {
    broken.fault = fault;
    expect((await outcomeOf(sampled())).violations).toContainEqual(expect.stringMatching(message));
  });

  test('the checks notice occurrences that reach a phone in another order', async () => {
    const violations = await simulate(readScenario(sampled()), async (run) => {
      const [first, second] = run.relay.accepted;
      if (first && second) [first.collapseId, second.collapseId] = [second.collapseId, first.collapseId];
      return findViolations(run);
    });
    expect(violations).toContainEqual(expect.stringMatching(/got 2027-06-08\/000 after 2027-06-08\/001/));
  });
});

describe('quiet hours', () => {
  test('put off what is due, and what expires in them is skipped', async () => {
    const outcome = await outcomeOf(siesta());
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi').map((at) => at.slice(0, 8))).toEqual(['08 14:00', '09 14:00']);
    const hasty = await outcomeOf(siesta({ expiresAfter: 60 }));
    expect(hasty.violations).toEqual([]);
    expect(datesOf(hasty, 'Chidi').slice(0, 2)).toEqual([
      '2027-06-08 skipped: quiet-hours',
      '2027-06-09 skipped: quiet-hours',
    ]);
  });

  test('end when the user says so, also while everything else goes wrong', async () => {
    const outcome = await outcomeOf({
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
      'what is skipped although they end in time',
      'ends-late',
      /skipped for quiet hours at .*, which did not outlast it/,
    ],
    ['a skip without any', 'always-quiet', /skipped for quiet hours at .*, which did not outlast it/],
  ])('the checks notice %s', async (_, fault, message) => {
    broken.fault = fault;
    const file = fault === 'always-quiet' ? diary() : siesta({ expiresAfter: 1440 });
    expect((await outcomeOf(file)).violations).toContainEqual(expect.stringMatching(message));
  });
});
