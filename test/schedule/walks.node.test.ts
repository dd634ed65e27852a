import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetAt, offsetChanges, slowMoment, wallAt } from '../../simulator/oracle/clock.ts';
import { slowDates } from '../../simulator/oracle/series.ts';
import type { ReminderState } from '../../src/schedule/occurrences.ts';
import type { Series } from '../../src/schedule/series.ts';
import { type Driver, type Row, startDriver } from './driver.ts';
import { adas, at, MINUTE } from './fixtures.ts';
import { apply, rules, starts, steps, zones } from './walk-steps.ts';

/**
 * Random users over random months: they travel, choose times, answer, pause, leave and come back, while the reminders
 * are edited, the study moves and the server's clock jumps. After every step a slow model says what must hold.
 */
test('no date is settled twice or lost, and a push is sent in its time, at most one a run', () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom(...starts),
      fc.constantFrom(...zones),
      // Three days are more than reminders may set: then several dates are valid at once, as around a gap.
      fc.constantFrom(30, 360, 1440, 3 * 1440),
      fc.boolean(),
      fc.array(steps, { minLength: 10, maxLength: 60 }),
      (rule, start, timeZone, expiresAfter, unlessAnswered, walk) => {
        const joined = at(`${start}T12:00:00Z`);
        const ada = adas({ rule, start, timeZone, expiresAfter, unlessAnswered, since: joined });
        const driver = startDriver(ada, joined);
        const past = [driver.state.reminderState];
        driver.plan();
        for (const step of walk) {
          apply(step, driver);
          past.push(driver.state.reminderState);
          // Plans may come late, after the alarm that they should have moved.
          if (step.planned) driver.plan();
          const done = driver.run();
          expect(done.pushes).toBeLessThanOrEqual(1);
          if (done.settled) expectNothingLost(driver, past);
          if (done.settled || step.planned) expectNextDate(driver);
        }
        for (const row of driver.rows.values()) {
          expectJust(row, [...driver.rows.values()]);
          ends.add(row.reason ?? row.verdict);
        }
      },
    ),
    { numRuns: 800 },
  );
  // The walks came to every end there is.
  expect([...ends].sort()).toEqual([
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
});

/** Every listed date up to the newest settled one is settled, or never existed for the user as they once were. */
function expectNothingLost({ state, rows }: Driver, past: (ReminderState & { revision: number })[]) {
  const { revision, settledThrough } = state.reminderState;
  const lost = datesOf(state.reminderState).filter(
    ({ on }) =>
      on <= (settledThrough ?? '') &&
      !rows.has(`${revision} ${on}`) &&
      !past.some((then) => then.revision === revision && !existed(on, then)),
  );
  expect(lost).toEqual([]);
}

function existed(on: string, reminderState: ReminderState): boolean {
  return (
    datesOf(reminderState).some((listed) => listed.on === on) &&
    dueAt(on, reminderState) > reminderState.since
  );
}

/** The pending row is the first listed date that is neither settled nor passed, at its instant of now. */
function expectNextDate({ state, pending }: Driver): void {
  const { reminderState } = state;
  const open = reminderState.member && !reminderState.archived;
  const expected = datesOf(reminderState).find(
    ({ on }) =>
      open && on > (reminderState.settledThrough ?? '') && dueAt(on, reminderState) > reminderState.since,
  );
  const found = pending();
  expect(
    found && { on: found.on, counter: found.counter, dueAt: found.dueAt, revision: found.revision },
  ).toEqual(
    expected
      ? { ...expected, dueAt: dueAt(expected.on, reminderState), revision: reminderState.revision }
      : null,
  );
}

/** The outcome of a date is the one that the state of that moment required. */
function expectJust(row: Row, all: Row[]): void {
  const { on, counter, now, reminderState, reason } = row;
  const listed = datesOf(reminderState).find((date) => date.on === on);
  const gone = [
    row.revision !== reminderState.revision && 'stale',
    !reminderState.member && 'left-study',
    reminderState.archived && 'survey-archived',
    !listed && 'series-ended',
  ].find((name) => name !== false);
  if (gone) {
    expect(reason).toBe(gone);
    return;
  }

  expect(counter).toBe(listed?.counter);
  const due = dueAt(on, reminderState);
  const expiresAt = due + reminderState.expiresAfter * MINUTE;
  expect(row.dueAt).toBe(due);
  expect(due).toBeLessThanOrEqual(now);
  const answered =
    reminderState.unlessAnswered &&
    reminderState.answers.some((t) => wallAt(t, reminderState.timeZone).startsWith(on));
  const paused = reminderState.pausedUntil !== null && due < reminderState.pausedUntil;
  const newer = all.some((other) => other.review === row.review && other.on > on);
  const holds = [
    answered && 'answered',
    paused && 'paused',
    now >= expiresAt && 'expired',
    !reminderState.reachable && 'no-device',
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

function datesOf({ rule, start }: ReminderState) {
  if (rule === null || rule.type === 'triggered' || start === null) return [];
  const series: Series = { rule, start };
  return remember(JSON.stringify(series), () => slowDates(series, 1500));
}

function dueAt(on: string, { timeZone, time, rule }: ReminderState): number {
  const wall = time ?? rule?.time ?? '';
  const [from, to] = [at('2025-06-01T00:00:00Z'), at('2031-01-01T00:00:00Z')];
  const offsets = remember(timeZone, () => [
    ...new Set([from, ...offsetChanges(timeZone, from, to)].map((instant) => offsetAt(instant, timeZone))),
  ]);
  return remember(`${on} ${wall} ${timeZone}`, () => slowMoment(on, wall, timeZone, offsets).at);
}
