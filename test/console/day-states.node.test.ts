import { expect, test } from 'vitest';
import { markOf, stateOf } from '../../console/features/compliance/day-states.ts';

const day = (counts: Partial<Record<'due' | 'sent' | 'failed' | 'opened' | 'answered', number>>) => {
  const { due = 0, sent = 0, failed = 0, opened = 0, answered = 0 } = counts;
  return stateOf(
    { due: [due], sent: [sent], failed: [failed], opened: [opened], answered: [answered], answeredLate: [0] },
    0,
  );
};

test('a day is the best of its reminders, and answered only if all were', () => {
  expect(day({})).toBeUndefined();
  expect(day({ due: 2, sent: 2, opened: 2, answered: 2 })).toBe('answered');
  // Answered before it was due, and so never sent.
  expect(day({ due: 1, answered: 1 })).toBe('answered');
  expect(day({ due: 3, sent: 3, opened: 3, answered: 1 })).toBe('partly');
  expect(day({ due: 3, sent: 2, opened: 1, failed: 1 })).toBe('opened');
  expect(day({ due: 3, sent: 1, failed: 1 })).toBe('sent');
  expect(day({ due: 2, failed: 1 })).toBe('failed');
  expect(day({ due: 2 })).toBe('skipped');
});

test('each outcome has a sign of its own, without colours', () => {
  const signs = (['answered', 'opened', 'sent', 'failed', 'skipped'] as const).map((state) => markOf(state));
  expect(new Set([...signs, markOf('partly', 3), markOf('partly', 10)]).size).toBe(7);
});
