import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Agenda } from '../../../src/schedule/agenda.ts';
import type { Rule } from '../../../src/schedule/rule.ts';
import type { Series } from '../../../src/schedule/series.ts';
import { type Row, startDriver } from './driver.ts';
import { adas, at, DAY, MINUTE, ruleOf } from './fixtures.ts';
import { offsetAt, offsetChanges, slowMoment, wallAt } from './slow-clock.ts';
import { slowDates } from './slow-series.ts';

/**
 * Random users over random months: they travel, choose times, answer, pause, leave and come back, while the reminders
 * are edited, the study moves and the server's clock jumps. After every step a slow model says what must hold.
 */
const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/Havana',
  'America/Nuuk',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const times = ['00:00', '00:30', '02:15', '02:30', '08:00', '12:00', '21:00', '23:30', '23:59'];
const starts = ['2026-02-25', '2026-03-27', '2026-04-03', '2026-09-25', '2026-10-22', '2026-10-30'];

const fixedDays = ['* * *', '* * 0,7', '* * 0-7', '1-31 * *', '2,5,9 * *', '*/3 * *'];
const weekDays = ['*', '*', '1-5', '0,3', '6', '*/2'];
const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.constantFrom(...fixedDays).map((days) => ruleOf('fixed', `30 2 ${days}`)),
  fc
    .record({
      days: fc.constantFrom(...weekDays),
      delay: fc.integer({ min: 0, max: 4 }),
      ends: fc.option(fc.integer({ min: 1, max: 40 })),
    })
    .map(({ days, ...rest }) => ruleOf('rolling', `0 8 * * ${days}`, rest)),
);

type Step = { planned: boolean } & (
  | { go: 'wait' | 'back' | 'pause'; minutes: number }
  | { go: 'travel'; timeZone: string }
  | { go: 'choose'; time: string | null }
  | { go: 'edit'; rule: Rule }
  | { go: 'shift'; days: number }
  | { go: 'answer' | 'resume' | 'member' | 'archived' | 'reachable' }
);
const planned = fc.boolean();
const minutes = fc.oneof(
  fc.integer({ min: 1, max: 90 }),
  fc.integer({ min: 90, max: 3 * 1440 }),
  fc.integer({ min: 3 * 1440, max: 40 * 1440 }),
);
const wait = fc.record({ planned, go: fc.constant('wait' as const), minutes });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: wait },
  {
    weight: 1,
    arbitrary: fc.record({ planned, go: fc.constantFrom('back' as const, 'pause' as const), minutes }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      planned,
      go: fc.constant('travel' as const),
      timeZone: fc.constantFrom(...zones),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      planned,
      go: fc.constant('choose' as const),
      time: fc.constantFrom(null, ...times),
    }),
  },
  { weight: 1, arbitrary: fc.record({ planned, go: fc.constant('edit' as const), rule: rules }) },
  {
    weight: 1,
    arbitrary: fc.record({
      planned,
      go: fc.constant('shift' as const),
      days: fc.integer({ min: -9, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      planned,
      go: fc.constantFrom(...(['answer', 'resume', 'member', 'archived', 'reachable'] as const)),
    }),
  },
);

/** What a step does to the user's state. A change that begins something anew begins it now. */
function apply(step: Step, driver: ReturnType<typeof startDriver>): void {
  const { state } = driver;
  const { agenda, now } = state;
  const change = (changes: Partial<Agenda & { revision: number }>) => {
    state.agenda = { ...agenda, ...changes };
  };
  if (step.go === 'wait') state.now += step.minutes * MINUTE;
  if (step.go === 'back') state.now -= step.minutes * MINUTE;
  if (step.go === 'pause') change({ pausedUntil: now + step.minutes * MINUTE });
  if (step.go === 'resume') change({ pausedUntil: null });
  if (step.go === 'travel') change({ timeZone: step.timeZone });
  if (step.go === 'choose') change({ time: step.time });
  if (step.go === 'edit')
    change({ rule: step.rule, revision: agenda.revision + 1, settledThrough: null, since: now });
  if (step.go === 'shift') change({ start: dateAfter(agenda.start ?? '', step.days) });
  if (step.go === 'answer') change({ answers: [...agenda.answers, now] });
  if (step.go === 'member') change({ member: !agenda.member, since: now });
  if (step.go === 'archived') change({ archived: !agenda.archived, since: now });
  if (step.go === 'reachable') change({ reachable: !agenda.reachable });
}

test('no date is settled twice or lost, and a push is sent in its time, at most one a run', () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom(...starts),
      fc.constantFrom(...zones),
      // Three days are more than reminders may set: then several dates are valid at once, as around a gap.
      fc.constantFrom(30, 360, 1440, 3 * 1440),
      fc.boolean(),
      fc.array(steps, { minLength: 5, maxLength: 40 }),
      (rule, start, timeZone, expiresAfter, unlessAnswered, walk) => {
        const joined = at(`${start}T12:00:00Z`);
        const ada = adas({ rule, start, timeZone, expiresAfter, unlessAnswered, since: joined });
        const driver = startDriver(ada, joined);
        const past = [driver.state.agenda];
        driver.plan();
        for (const step of walk) {
          apply(step, driver);
          past.push(driver.state.agenda);
          // Plans may come late, after the alarm that they should have moved.
          if (step.planned) driver.plan();
          const done = driver.run();
          expect(done.pushes).toBeLessThanOrEqual(1);
          if (done.settled) expectNothingLost(driver, past);
          if (done.settled || step.planned) expectNextDate(driver);
        }
        for (const row of driver.rows.values()) {
          expectJust(row, [...driver.rows.values()]);
          const kind = row.reason ?? row.verdict;
          counts[kind] = (counts[kind] ?? 0) + 1;
        }
      },
    ),
    { numRuns: 1000 },
  );
  // The walks came to every end there is, and often to a push.
  expect(Object.keys(counts).sort()).toEqual([
    'answered',
    'expired',
    'left-study',
    'no-device',
    'paused',
    'send',
    'series-ended',
    'stale',
    'superseded',
    'survey-archived',
  ]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
}, 60_000);

/** Every listed date up to the newest settled one is settled, or never existed for the user as they once were. */
function expectNothingLost(
  { state, rows }: ReturnType<typeof startDriver>,
  past: (Agenda & { revision: number })[],
) {
  const { revision, settledThrough } = state.agenda;
  const lost = datesOf(state.agenda).filter(
    ({ on }) =>
      on <= (settledThrough ?? '') &&
      !rows.has(`${revision} ${on}`) &&
      !past.some((then) => then.revision === revision && !existed(on, then)),
  );
  expect(lost).toEqual([]);
}

function existed(on: string, agenda: Agenda): boolean {
  return datesOf(agenda).some((listed) => listed.on === on) && dueAt(on, agenda) > agenda.since;
}

/** The pending row is the first listed date that is neither settled nor passed, at its instant of now. */
function expectNextDate({ state, pending }: ReturnType<typeof startDriver>): void {
  const { agenda } = state;
  const open = agenda.member && !agenda.archived;
  const expected = datesOf(agenda).find(
    ({ on }) => open && on > (agenda.settledThrough ?? '') && dueAt(on, agenda) > agenda.since,
  );
  const found = pending();
  expect(
    found && { on: found.on, counter: found.counter, dueAt: found.dueAt, revision: found.revision },
  ).toEqual(expected ? { ...expected, dueAt: dueAt(expected.on, agenda), revision: agenda.revision } : null);
}

/** What happened to a date is what the state of that moment asked for. */
function expectJust(row: Row, all: Row[]): void {
  const { on, counter, now, agenda, reason } = row;
  if (reason === 'left-study') return expect(agenda.member).toBe(false);
  if (reason === 'survey-archived') return expect(agenda.archived).toBe(true);
  if (reason === 'stale') return;
  if (reason === 'series-ended') return expect(datesOf(agenda).map((listed) => listed.on)).not.toContain(on);

  expect(datesOf(agenda)).toContainEqual({ on, counter });
  const due = dueAt(on, agenda);
  const expiresAt = due + agenda.expiresAfter * MINUTE;
  expect(row.dueAt).toBe(due);
  expect(due).toBeLessThanOrEqual(now);
  const answered =
    agenda.unlessAnswered && agenda.answers.some((t) => wallAt(t, agenda.timeZone).startsWith(on));
  const paused = agenda.pausedUntil !== null && due < agenda.pausedUntil;
  const newer = all.some((other) => other.review === row.review && other.on > on);
  const holds = [
    answered && 'answered',
    paused && 'paused',
    now >= expiresAt && 'expired',
    !agenda.reachable && 'no-device',
    newer && 'superseded',
  ];
  expect(reason).toBe(holds.find((name) => name !== false));
  expect(row.expiresAt).toBe(reason === undefined ? expiresAt : undefined);
}

// The model is slow, so it remembers.
const known = new Map<string, unknown>();
function remember<T>(key: string, compute: () => T): T {
  if (!known.has(key)) known.set(key, compute());
  return known.get(key) as T;
}

function datesOf({ rule, start }: Agenda) {
  if (rule === null || start === null) return [];
  const series: Series = { rule, start };
  return remember(JSON.stringify(series), () => slowDates(series, 1500));
}

function dueAt(on: string, { timeZone, time, rule }: Agenda): number {
  const wall = time ?? rule?.time ?? '';
  const [from, to] = [at('2025-06-01T00:00:00Z'), at('2031-01-01T00:00:00Z')];
  const offsets = remember(timeZone, () => [
    ...new Set([from, ...offsetChanges(timeZone, from, to)].map((instant) => offsetAt(instant, timeZone))),
  ]);
  return remember(`${on} ${wall} ${timeZone}`, () => slowMoment(on, wall, timeZone, offsets).at);
}

function dateAfter(date: string, days: number): string {
  return new Date(at(date) + days * DAY).toISOString().slice(0, 10);
}
