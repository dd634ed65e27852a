import { describe, expect, test } from 'vitest';
import { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import { type Row, readRows } from '../../simulator/tables.ts';
import { findUntraced } from '../../simulator/traces.ts';
import { diary, june, outcomeOf } from './support.ts';

/* A settled occurrence stays, and a scheduled one leaves in the history why it did not come. */

const at = june(8, '10:00:00');
const back = june(8, '11:00:00');
const archives = { at, who: 'Ada', does: 'archives-survey', survey: 'Diary' } as const;

test.each<[string, NonNullable<ScenarioFile['events']>]>([
  ['an archived survey', [archives]],
  ['an archived study', [{ at, who: 'Ada', does: 'archives-study' }]],
  ['a series that is moved', [{ at, who: 'Ada', does: 'changes-study', startsOn: '2027-06-15' }]],
  [
    'a survey that comes back from the archive',
    [archives, { at: back, who: 'Ada', does: 'restores-survey', survey: 'Diary' }],
  ],
  [
    'an earlier date that comes instead, and an account that is deleted',
    [
      { at, who: 'Ada', does: 'changes-study', startsOn: '2027-06-15' },
      { at: back, who: 'Ada', does: 'changes-study', startsOn: '2027-06-08' },
      { at: june(9, '09:00:00'), who: 'Chidi', does: 'deletes-account' },
    ],
  ],
])('nothing vanishes with %s', async (_, events) => {
  expect((await outcomeOf(diary({ events }))).violations).toEqual([]);
});

test('the simulator sees from event to event what a broken service removes', async () => {
  const outcome = await outcomeOf(diary({ events: [archives] }), {
    populate: async (_, database) => {
      const query = database.query.bind(database);
      database.query = async (...asked) =>
        (await query(...asked)).filter(({ state }) => state !== 'invalidated');
    },
  });
  expect(outcome.run.untraced).toEqual(['2027-06-08 was scheduled, and vanished without a trace']);
});

describe('of two moments', () => {
  const untraced = (change: (row: Row) => Row | null, of: (row: Row) => Row = (row) => row) =>
    simulate(readScenario(diary()), async ({ database, records }) => {
      const rows = (await readRows(database)).filter(({ user }) => user === records.members.get('Chidi')?.id);
      const before = { rows: rows.map(of), deleted: new Set<string>() };
      const after = before.rows.map(change).filter((row) => row !== null);
      return findUntraced(before, { ...before, rows: after });
    });
  const scheduled = ({ state }: Row) => state === null;
  const first = ({ on }: Row) => on === '2027-06-08';
  const only = (which: (row: Row) => boolean, change: Partial<Row>) => (row: Row) =>
    which(row) ? { ...row, ...change } : row;
  const without = (which: (row: Row) => boolean) => (row: Row) => (which(row) ? null : row);
  const skipped = only(first, { state: 'skipped', reason: 'paused', deliveries: [] });

  test('the same rows are as they were', async () => {
    expect(await untraced((row) => row)).toEqual([]);
  });

  test.each<[string, Parameters<typeof untraced>, string]>([
    ['scheduled and gone', [without(scheduled)], '2027-06-10 was scheduled, and vanished without a trace'],
    ['sent and gone', [without(first)], '2027-06-08 was settled as sent, and then removed'],
    [
      'sent, with another counter',
      [only(first, { counter: 7 })],
      '2027-06-08 was settled as sent, and then written again',
    ],
    [
      'sent, with other deliveries',
      [only(first, { deliveries: [] })],
      '2027-06-08 was settled as sent, and then delivered again',
    ],
    [
      'skipped and scheduled',
      [only(first, { state: null, settledAt: null }), skipped],
      '2027-06-08 was settled as skipped, and then planned again',
    ],
  ])('one is %s', async (_, given, found) => {
    expect(await untraced(...given)).toEqual([found]);
  });

  test.each<[string, Parameters<typeof untraced>]>([
    ['scheduled, and another date before it is', [only(scheduled, { on: '2027-06-09/2' })]],
    ['skipped, and then sent all the same', [only(first, { state: 'sent', reason: null }), skipped]],
    [
      'invalidated, and then scheduled again',
      [
        only(first, { state: null, settledAt: null }),
        only(first, { state: 'invalidated', reason: 'stale', deliveries: [] }),
      ],
    ],
    [
      'sent, with another phone that was still to get it',
      [only(first, { deliveries: [] }), only(first, { coming: [{ kind: 'first', at: 0 }] })],
    ],
  ])('one may be %s', async (_, given) => {
    expect(await untraced(...given)).toEqual([]);
  });
});
