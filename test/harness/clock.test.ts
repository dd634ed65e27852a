import { beforeAll, describe, expect, test } from 'vitest';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { alarmOf, alarmTime } from '../support/worker/reminders.ts';
import { signUp } from '../support/worker/world.ts';

/* These tests have a clock of their own, and pass on whatever date and at whatever hour they run. */
const imported = Date.now();

test('each test begins at the same moment', () => {
  expect(Date.now()).toBe(startOfTests);
  expect(new Date().toISOString()).toBe('2027-03-01T08:00:00.000Z');
  later(days);
});

describe('work outside of tests', () => {
  let begun: Date;
  beforeAll(() => {
    begun = new Date();
  });

  test('is done on the day before', () => {
    expect(Date.now()).toBe(startOfTests);
    for (const at of [imported, begun.getTime()]) {
      expect(at).toBeGreaterThanOrEqual(startOfTests - days);
      expect(at).toBeLessThan(startOfTests);
    }
    expect(begun.getTime()).toBeGreaterThanOrEqual(imported);
  });
});

test.each(['2001-01-01T00:00:00.000Z', '2061-12-31T23:59:59.000Z'])(
  'an alarm of %s stays set until a test rings it',
  async (now) => {
    setClock(now);
    const ada = await signUp('Ada');
    const due = Date.now() - minutes;
    await alarmOf(ada).arm(ada.id, due);
    const armed = Number(await alarmTime(ada));
    expect(armed - due).toBeGreaterThanOrEqual(0);
    expect(armed - due).toBeLessThan(1000);
    expect(Date.now()).toBe(Date.parse(now));
  },
);
