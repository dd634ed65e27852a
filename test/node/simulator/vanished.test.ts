import { afterEach, expect, test, vi } from 'vitest';
import type * as statements from '../../../src/model/reminders/statements.ts';
import { diary, june, outcomeOf } from './support.ts';

/* The simulator notices code that removes what was scheduled instead of saying in the history why it did not come. */

/** Whether what will not come any more is removed, as a broken service would. */
const broken = vi.hoisted(() => ({ is: false }));

vi.mock('../../../src/model/reminders/statements.ts', async (original) => {
  const module = await original<typeof statements>();
  const invalidatePending: typeof module.invalidatePending = (db, rows) =>
    broken.is ? (module.deletePending(db, rows) as never) : module.invalidatePending(db, rows);
  return { ...module, invalidatePending };
});

afterEach(() => {
  broken.is = false;
});

const at = june(8, '10:00:00');
const back = june(8, '11:00:00');

test.each([
  ['an archived survey', [{ at, who: 'Ada', does: 'archives-survey', survey: 'Diary' }]],
  ['an archived study', [{ at, who: 'Ada', does: 'archives-study' }]],
  ['a series that is moved', [{ at, who: 'Ada', does: 'changes-study', startsOn: '2027-06-15' }]],
  [
    'a survey that comes back from the archive',
    [
      { at, who: 'Ada', does: 'archives-survey', survey: 'Diary' },
      { at: back, who: 'Ada', does: 'restores-survey', survey: 'Diary' },
    ],
  ],
] as const)('of %s', async (_, events) => {
  expect((await outcomeOf(diary({ events: [...events] }))).violations).toEqual([]);
  broken.is = true;
  const { violations } = await outcomeOf(diary({ events: [...events] }));
  expect(violations).toContain('2027-06-08 was scheduled, and vanished without a trace');
});

test('what an earlier date replaces, and what goes with an account, did not vanish', async () => {
  const events = [
    { at, who: 'Ada', does: 'changes-study', startsOn: '2027-06-15' },
    { at: back, who: 'Ada', does: 'changes-study', startsOn: '2027-06-08' },
    { at: june(9, '09:00:00'), who: 'Chidi', does: 'deletes-account' },
  ] as const;
  expect((await outcomeOf(diary({ events: [...events] }))).violations).toEqual([]);
});
