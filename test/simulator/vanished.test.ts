import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type * as statements from '../../src/reminders/statements.ts';
import type * as support from './support.ts';
import { diary, june } from './support.ts';

/* The simulator notices code that removes what was scheduled instead of saying in the history why it did not come. */

/** Whether what will not come any more is removed, as a broken service would. */
let broken = false;
/** The simulator around a service that can be broken. Test files share modules, so this one has copies of its own. */
let outcomeOf: typeof support.outcomeOf;
const path = '../../src/reminders/statements.ts';

beforeAll(async () => {
  vi.resetModules();
  vi.doMock(path, async (original) => {
    const module = await original<typeof statements>();
    const invalidatePending: typeof module.invalidatePending = (db, rows) =>
      broken ? (module.deletePending(db, rows) as never) : module.invalidatePending(db, rows);
    return { ...module, invalidatePending };
  });
  ({ outcomeOf } = await import('./support.ts'));
});
afterEach(() => {
  broken = false;
});
afterAll(() => {
  vi.doUnmock(path);
  vi.resetModules();
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
  broken = true;
  const { violations } = await outcomeOf(diary({ events: [...events] }));
  expect(violations).toContain('2027-06-08 was scheduled, and vanished without a trace');
});

test('rows that an earlier date replaces, and rows that go with an account, did not vanish', async () => {
  const events = [
    { at, who: 'Ada', does: 'changes-study', startsOn: '2027-06-15' },
    { at: back, who: 'Ada', does: 'changes-study', startsOn: '2027-06-08' },
    { at: june(9, '09:00:00'), who: 'Chidi', does: 'deletes-account' },
  ] as const;
  expect((await outcomeOf(diary({ events: [...events] }))).violations).toEqual([]);
});
