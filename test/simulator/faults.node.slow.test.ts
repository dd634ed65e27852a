import { describe, expect, test } from 'vitest';
import type { ScenarioFile } from '../../simulator/scenario.ts';
import { datesOf, diary, june, outcomeOf, pushesTo } from './support.ts';

const window = { from: june(8, '11:50:00'), until: june(8, '12:10:00') };
const bothSent = ['2027-06-08 sent', '2027-06-09 sent', '2027-06-10 scheduled'];

test('without a fault each phone gets each reminder once, within the spread of a second', async () => {
  const outcome = await outcomeOf(diary());
  expect(outcome.violations).toEqual([]);
  expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
  expect(datesOf(outcome, 'Dana').slice(0, 2)).toEqual([
    '2027-06-08 skipped: no-device',
    '2027-06-09 skipped: no-device',
  ]);
  // An owner with neither a phone nor a download does not take part.
  expect(datesOf(outcome, 'Ada')).toEqual([]);
  expect(pushesTo(outcome, 'Chidi')).toEqual([
    expect.stringMatching(/^08 12:00:0[01]$/),
    expect.stringMatching(/^09 12:00:0[01]$/),
  ]);
});

describe('a crash of the process', () => {
  const crash = (point: string, downSeconds = 2) =>
    outcomeOf(
      diary({
        // Chidi alone has something to push.
        events: [{ at: june(8, '09:00:00'), who: 'Ada', does: 'pauses', until: null }],
        faults: [{ what: 'crash', at: june(8, '12:00:00'), point: point as 'now', downSeconds }],
      }),
    );

  test.each(['now', 'before-publish', 'before-commit', 'after-commit', 'before-arming'])(
    '%s: nothing is lost, and a platform that repeats the alarm makes up for it in seconds',
    async (point) => {
      const outcome = await crash(point);
      expect(outcome.run.server.counts.crashes).toBe(1);
      expect(outcome.violations).toEqual([]);
      expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
    },
  );

  test('between publish and settle: pushed again with the same collapse id, so that the phone shows one', async () => {
    const outcome = await crash('after-publish');
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(3);
    const [first, again] = outcome.run.relay.accepted;
    expect(again?.collapseId).toBe(first?.collapseId);
    expect(outcome.participants.find(({ name }) => name === 'Chidi')?.phones[0]?.shows).toBe(2);
  });

  test('after settle and before arming: the repeated alarm arms the next one', async () => {
    const outcome = await crash('before-arming', 0);
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi')[1]).toMatch(/^09 12:00:0[01]$/);
  });

  test.each(['now', 'before-commit', 'after-commit', 'before-arming'] as const)(
    '%s, while a study is planned: the plans are made',
    async (point) => {
      for (const seconds of ['00.300', '00.600', '00.900', '01.300']) {
        const outcome = await outcomeOf(
          diary({
            latency: { relayMs: 0, databaseMs: 200 },
            events: [
              {
                at: june(8, '09:00:00'),
                who: 'Ada',
                does: 'edits-reminders',
                survey: 'Diary',
                reminders: {
                  type: 'rolling',
                  recurrence: '0 15 * * *',
                  notification: { subject: 'Later', body: 'How are you?' },
                },
              },
            ],
            faults: [{ what: 'crash', at: june(8, `09:00:${seconds}`), point }],
          }),
        );
        expect(outcome.run.server.deaths).toHaveLength(1);
        expect(outcome.run.server.deaths[0]).toBeLessThan(Date.parse(june(8, '09:00:02')));
        expect(outcome.violations).toEqual([]);
        expect(pushesTo(outcome, 'Chidi').map((at) => at.slice(0, 8))).toEqual(['08 15:00', '09 15:00']);
      }
    },
  );
});

describe('the relay', () => {
  test('throttles for ten minutes: tried again, and sent once when it is over', async () => {
    const outcome = await outcomeOf(
      diary({
        faults: [{ what: 'relay', is: 'throttled', from: june(8, '11:59:00'), until: june(8, '12:09:00') }],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
    expect(pushesTo(outcome, 'Chidi')[0]).toMatch(/^08 12:(09|1\d)/);
    // Growing delays: far fewer than one a second.
    expect(outcome.run.relay.refused).toBeLessThan(16);
  });

  test('is down until the reminder expires: failed, with the error, and the next day is sent', async () => {
    const outcome = await outcomeOf(
      diary({
        faults: [{ what: 'relay', is: 'down', from: june(8, '11:59:00'), until: june(8, '19:00:00') }],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual([
      '2027-06-08 failed: expired',
      '2027-06-09 sent',
      '2027-06-10 scheduled',
    ]);
  });

  test('takes a push and does not answer in time: pushed again, with the same collapse id', async () => {
    const outcome = await outcomeOf(diary({ faults: [{ what: 'relay', is: 'slow', ms: 5000, ...window }] }));
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
  });
});

describe('the database', () => {
  test.each(['overloaded', 'lost-before-commit', 'lost-after-commit', 'timeout'] as const)(
    '%s for twenty minutes: nothing is lost',
    async (is) => {
      const outcome = await outcomeOf(diary({ faults: [{ what: 'database', is, ...window }] }));
      expect(outcome.violations).toEqual([]);
      expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
    },
  );

  test('fails half of the time: nothing is lost', async () => {
    const faults = (['overloaded', 'lost-before-commit', 'lost-after-commit'] as const).map((is) => ({
      what: 'database' as const,
      is,
      share: 0.3,
      ...window,
    }));
    const outcome = await outcomeOf(diary({ faults, reconcile: true }));
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
  });

  test('fails for three seconds after a push: what was sent is written down, and not sent again', async () => {
    const outcome = await outcomeOf(
      diary({
        latency: { relayMs: 4000, databaseMs: 0 },
        faults: [
          {
            what: 'database',
            is: 'lost-before-commit',
            from: june(8, '12:00:03'),
            until: june(8, '12:00:06'),
          },
        ],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(outcome.run.database.counts.refused).toBeGreaterThan(0);
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(2);
  });
});

describe.each(['objects', 'timer'] as const)('a disk that is full for hours, with alarms by %s', (alarms) => {
  const names = Array.from({ length: 5 }, (_, n) => `Member ${n + 1}`);
  /** All are reminded at noon, and each push takes four seconds. */
  const fullFrom = (time: string, ...crashes: string[]) =>
    outcomeOf(
      diary({
        alarms,
        members: [
          { name: 'Ada', role: 'owner' },
          ...names.map((name) => ({ name, phones: [{ name: 'pixel', timeZone: 'UTC' }] })),
        ],
        latency: { relayMs: 4000, databaseMs: 0 },
        faults: [
          { what: 'database', is: 'full', from: june(8, time), until: june(8, '17:30:00') },
          ...crashes.map((at) => ({ what: 'crash' as const, at: june(8, at) })),
        ],
      }),
    );
  const pushesOf = (outcome: Awaited<ReturnType<typeof fullFrom>>, name: string) =>
    pushesTo(outcome, name).filter((at) => at.startsWith('08'));
  const afterwards = /^08 17:30:|^08 17:31:0/;

  test('when the process starts: nothing is pushed until something can be written, and then all within a minute', async () => {
    const outcome = await fullFrom('11:00:00', '11:30:00', '15:00:00');
    expect(outcome.violations).toEqual([]);
    for (const name of names) {
      expect(pushesOf(outcome, name)).toEqual([expect.stringMatching(afterwards)]);
      expect(datesOf(outcome, name)).toEqual(bothSent);
    }
    const events = outcome.run.server.log.map(({ event }) => event);
    expect(events).toContain('writes.refused');
    expect(events).toContain('writes.taken');
  });

  test.each([
    ['behind the pushes', []],
    ['behind the pushes, and three crashes', ['12:20:00', '14:00:00', '16:00:00']],
  ])('%s: a push whose record was refused comes again once, under its name', async (_, crashes) => {
    const outcome = await fullFrom('12:00:03', ...crashes);
    expect(outcome.run.server.deaths).toHaveLength(crashes.length);
    expect(outcome.violations).toEqual([]);
    for (const name of names) {
      const pushes = pushesOf(outcome, name);
      expect(pushes).toEqual([expect.stringMatching(/^08 12:00:0/), expect.stringMatching(afterwards)]);
      expect(datesOf(outcome, name)).toEqual(bothSent);
    }
    const collapsed = new Set(outcome.run.relay.accepted.map(({ collapseId }) => collapseId));
    expect(collapsed.size).toBe(2 * names.length);
    const shown = outcome.participants.flatMap(({ phones }) => phones.map(({ shows }) => shows));
    expect(shown).toEqual(names.map(() => 2));
  });
});

describe('alarms', () => {
  test.each(['lost', 'stuck'] as const)('%s: the sweep delivers two minutes late at most', async (is) => {
    const outcome = await outcomeOf(diary({ faults: [{ what: 'alarms', is, ...window }] }));
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
    expect(pushesTo(outcome, 'Chidi')[0]).toMatch(/^08 12:02:00$/);
    // The sweep armed the next one.
    expect(pushesTo(outcome, 'Chidi')[1]).toMatch(/^09 12:00:0[01]$/);
  });

  test('twice at once, with sweeps twice at once, and a slow relay: one push', async () => {
    const outcome = await outcomeOf(
      diary({
        latency: { relayMs: 4000, databaseMs: 300 },
        faults: [
          { what: 'alarms', is: 'twice', from: june(8, '08:00:00'), until: june(9, '20:00:00') },
          { what: 'sweeps', is: 'twice', from: june(8, '08:00:00'), until: june(9, '20:00:00') },
        ],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(2);
  });

  test('late until the sweep comes, so that both find the same reminder: one push', async () => {
    const outcome = await outcomeOf(
      diary({
        latency: { relayMs: 4000, databaseMs: 0 },
        faults: [{ what: 'alarms', is: 'late', ms: 121_000, ...window }],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(2);
  });
});

describe("the server's clock", () => {
  test.each([
    [60, '11:30:00'],
    [60, '12:30:00'],
    [-60, '11:30:00'],
    [-60, '12:30:00'],
    [-60, '12:00:01'],
  ])('jumps by %i minutes at %s: each date is sent once', async (minutes, time) => {
    const outcome = await outcomeOf(diary({ faults: [{ what: 'clock', at: june(8, time), minutes }] }));
    expect(outcome.violations).toEqual([]);
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(2);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
  });
});

test('on Node and Deno one timer serves all: nothing is lost in a crash, while the clock jumps, or when a run fails', async () => {
  const faults: NonNullable<ScenarioFile['faults']>[] = [
    [],
    [{ what: 'crash', at: june(8, '12:00:00'), point: 'before-arming' }],
    [{ what: 'crash', at: june(8, '11:59:00'), downSeconds: 600 }],
    [{ what: 'clock', at: june(8, '11:30:00'), minutes: 60, until: june(8, '13:30:00') }],
    [{ what: 'clock', at: june(8, '11:30:00'), minutes: 1440, until: june(8, '11:45:00') }],
    [{ what: 'clock', at: june(8, '11:30:00'), minutes: 7 }],
    [{ what: 'clock', at: june(8, '11:30:00'), minutes: -60, until: june(8, '12:45:00') }],
    [{ what: 'clock', at: june(8, '12:30:00'), minutes: -60, until: june(8, '13:45:00') }],
    [{ what: 'database', is: 'overloaded', ...window }],
    [{ what: 'relay', is: 'down', ...window }],
  ];
  for (const some of faults) {
    const outcome = await outcomeOf(diary({ alarms: 'timer', faults: some }));
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
    // The loop sets its timer while a turn is under way: who dies there may repeat a push, under its name.
    const again = some.some((fault) => 'point' in fault && fault.point === 'before-arming') ? 1 : 0;
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(2 + again);
    expect(new Set(outcome.run.relay.accepted.map(({ collapseId }) => collapseId)).size).toBe(2);
  }
});

test('a deploy in between: old rows and new code', async () => {
  const outcome = await outcomeOf(
    diary({
      faults: [
        { what: 'deploy', at: june(8, '11:00:00') },
        { what: 'deploy', at: june(8, '12:00:01') },
      ],
    }),
  );
  expect(outcome.violations).toEqual([]);
  expect(datesOf(outcome, 'Chidi')).toEqual(bothSent);
});

describe('an upgrade of the zone rules', () => {
  const upgraded = (at: string, minutes: number, ...faults: NonNullable<ScenarioFile['faults']>) =>
    outcomeOf(
      diary({
        members: [
          { name: 'Ada', role: 'owner' },
          { name: 'Chidi', phones: [{ name: 'pixel', timeZone: 'Europe/London' }] },
          { name: 'Dana', phones: [{ name: 'pixel', timeZone: 'Europe/Paris' }] },
        ],
        faults: [{ what: 'zones', at: june(8, at), timeZone: 'Europe/London', minutes }, ...faults],
      }),
    );
  const dates = ['2027-06-08 sent', '2027-06-09 sent', '2027-06-10 scheduled'];
  test.each([60, -60])(
    'by %i minutes: each reminder comes at the new time, and nobody else’s moves',
    async (minutes) => {
      const outcome = await upgraded('09:00:00', minutes);
      expect(outcome.violations).toEqual([]);
      expect(datesOf(outcome, 'Chidi')).toEqual(dates);
      expect(pushesTo(outcome, 'Chidi').map((at) => at.slice(0, 8))).toEqual(['08 11:00', '09 11:00']);
      expect(pushesTo(outcome, 'Dana').map((at) => at.slice(0, 8))).toEqual(['08 10:00', '09 10:00']);
      expect(outcome.run.server.log.filter(({ event }) => event === 'zones')).toHaveLength(1);
    },
  );

  test('less than a minute before the reminder: it comes with the sweep, once', async () => {
    const outcome = await upgraded('10:59:30', 60);
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual(dates);
    expect(pushesTo(outcome, 'Chidi')[0]).toMatch(/^08 11:0[01]/);
    expect(pushesTo(outcome, 'Chidi')).toHaveLength(2);
  });

  test.each(['before-commit', 'after-commit', 'before-arming'] as const)(
    'with a crash %s: the next sweep goes on',
    async (point) => {
      const crash = { what: 'crash' as const, at: june(8, '09:00:30'), point, downSeconds: 90 };
      const outcome = await upgraded('09:00:20', 60, crash);
      expect(outcome.run.server.counts.crashes).toBe(2);
      expect(outcome.violations).toEqual([]);
      expect(datesOf(outcome, 'Chidi')).toEqual(dates);
      expect(pushesTo(outcome, 'Chidi').map((at) => at.slice(0, 8))).toEqual(['08 11:00', '09 11:00']);
    },
  );
});

test('on Node and Deno nothing is settled while the clock is wrong, and nothing is lost once it is right', async () => {
  const wrong = { what: 'clock', at: june(8, '11:00:00'), minutes: 1440 } as const;
  const during = await outcomeOf(
    diary({ alarms: 'timer', reconcile: true, faults: [wrong], until: june(8, '13:00:00') }),
  );
  expect(datesOf(during, 'Chidi')).toEqual(['2027-06-08 scheduled']);
  expect(pushesTo(during, 'Chidi')).toEqual([]);
  expect(during.run.server.log).toContainEqual(expect.objectContaining({ event: 'clock.wrong' }));

  const faults = [{ ...wrong, until: june(8, '13:00:00') }];
  const after = await outcomeOf(diary({ alarms: 'timer', reconcile: true, faults }));
  expect(after.violations).toEqual([]);
  expect(datesOf(after, 'Chidi')).toEqual(bothSent);
  expect(pushesTo(after, 'Chidi').map((at) => at.slice(0, 6))).toEqual(['08 13:', '09 12:']);
});
