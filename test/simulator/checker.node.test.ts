import { describe, expect, test } from 'vitest';
import type { Run } from '../../simulator/context.ts';
import type { Stored } from '../../simulator/facts.ts';
import { findViolations } from '../../simulator/invariants.ts';
import { simulate } from '../../simulator/run.ts';
import { readScenario } from '../../simulator/scenario.ts';
import type { Row } from '../../simulator/tables.ts';
import { diary, june, spoilt } from './support.ts';

const spoiltDiary = (
  spoil: Parameters<typeof spoilt>[1],
  changes: Parameters<typeof diary>[0] = {},
): Promise<string[]> => spoilt(diary(changes), spoil);

/** Changes the occurrences in this state; null: the scheduled ones. */
const changed =
  (state: string | null, change: Partial<Row> | ((row: Row) => Partial<Row>)) =>
  ({ rows }: Stored) => {
    for (const row of rows.filter((one) => one.state === state))
      Object.assign(row, typeof change === 'function' ? change(row) : change);
  };

const removed = (which: (row: Row) => boolean) => (stored: Stored) => {
  stored.rows = stored.rows.filter((row) => !which(row));
};

describe('the checker finds', () => {
  test.each<[string, (stored: Stored) => unknown, RegExp]>([
    [
      'a plan that is missing',
      removed(({ state }) => state === null),
      /expected to be pending: 2027-06-10 .* found nothing/,
    ],
    [
      'a plan for another time',
      changed(null, ({ dueAt }) => ({ dueAt: dueAt + 60_000 })),
      /found 2027-06-10 at 2027-06-10T12:01/,
    ],
    [
      'a stray plan',
      ({ rows }) => rows.push(...rows.slice(-1).map((row) => ({ ...row, user: 'nobody' }))),
      /a stray row/,
    ],
    [
      'a date without a record',
      removed(({ on }) => on === '2027-06-08'),
      /2027-06-08 was due and has no record/,
    ],
    ['a skip without a reason', changed('skipped', { reason: null }), /settled as skipped without a reason/],
    [
      'a push that is recorded as a skip',
      changed('sent', { state: 'skipped', reason: 'paused' }),
      /reached a phone at .*, and was settled as skipped/,
    ],
  ])('%s', async (_, spoil, message) => {
    expect(await spoiltDiary(spoil)).toContainEqual(expect.stringMatching(message));
  });

  test('a second push of one occurrence to one phone', async () => {
    const found = await spoiltDiary((_, { relay }) => {
      const [first] = relay.accepted;
      if (first) relay.accepted.push({ ...first, at: first.at + 1000, now: first.now + 1000 });
    });
    expect(found).toEqual([
      expect.stringMatching(/got 2 pushes, and 1 at most were to come/),
      expect.stringMatching(/got it twice/),
    ]);
  });

  test('a second push that no death of the process explains', async () => {
    const found = await spoiltDiary((_, { relay }) => {
      const [first] = relay.accepted;
      if (!first?.task) throw new Error('nothing was sent');
      first.task.dead = true;
      relay.accepted.push({ ...first, task: { ...first.task, dead: false }, at: first.at + 1000 });
    });
    expect(found).toContainEqual(expect.stringMatching(/got it again at .*, and nothing died since/));
  });

  test('a row that says sent without a push', async () => {
    expect(await spoiltDiary((_, { relay }) => void relay.accepted.splice(0, 1))).toEqual([
      expect.stringMatching(/said to be sent, and was not/),
    ]);
  });

  test('a push of no occurrence', async () => {
    const found = await spoiltDiary((_, { relay }) => {
      const [first] = relay.accepted;
      if (first) relay.accepted.push({ ...first, collapseId: 'another' });
    });
    expect(found).toContainEqual(expect.stringMatching(/belongs to no occurrence/));
    expect(found).toContainEqual(expect.stringMatching(/two reminders of one survey/));
  });

  test.each([
    ['before it was due', -60 * 60_000, /not due/],
    ['after it expired', 7 * 60 * 60_000, /expired/],
  ])('a push %s', async (_, shift, message) => {
    const found = await spoiltDiary((_, { relay }) => {
      for (const push of relay.accepted.slice(0, 1)) {
        push.at += shift;
        push.now += shift;
        push.runSince += shift;
        push.runNow += shift;
      }
    });
    expect(found).toContainEqual(expect.stringMatching(message));
  });

  test('a push to somebody who was paused, had left, or to the phone of another', async () => {
    const at = june(8, '10:00:00');
    const sooner = (_: Stored, run: Run) => {
      const [first] = run.relay.accepted;
      if (!first) throw new Error('nothing was sent');
      first.at = first.runSince = first.now = first.runNow = Date.parse(june(8, '12:00:01'));
    };
    // The one push of these studies is that of the second day; said to be of the first it is unjust.
    const paused = await spoiltDiary(sooner, {
      events: [{ at, who: 'Chidi', does: 'pauses', until: june(9, '08:00:00') }],
    });
    expect(paused).toContainEqual(expect.stringMatching(/2027-06-09, sent 2027-06-08.*not due/));
    const left = await spoiltDiary(sooner, {
      events: [
        { at, who: 'Chidi', does: 'leaves' },
        { at: june(9, '10:00:00'), who: 'Chidi', does: 'joins' },
      ],
    });
    expect(left).toContainEqual(expect.stringMatching(/not a member/));
    const stranger = await spoiltDiary((_, { relay }) => {
      for (const push of relay.accepted) push.token = 'of somebody else';
    });
    expect(stranger).toContainEqual(expect.stringMatching(/of somebody else is not their phone/));
  });

  describe('of an answer to the first of two reminders,', () => {
    const answers = { at: june(8, '12:30:00'), who: 'Chidi', does: 'answers', survey: 'Diary' } as const;

    test.each<[string, (stored: Stored) => unknown, RegExp]>([
      [
        'that it belongs to none',
        ({ responses }) => {
          for (const response of responses) response.notification = null;
        },
        /belongs to null, expected/,
      ],
      [
        'that it is not noted',
        changed('sent', { answeredAt: null }),
        /2027-06-08: the answer of 2027-06-08T12:30.* is not noted/,
      ],
      [
        'that the second one is answered by it, too',
        ({ rows, responses: [response] }) =>
          changed('sent', { answeredAt: response?.received ?? null })({ rows } as Stored),
        /2027-06-09: answered by an answer of another reminder/,
      ],
    ])('%s', async (_, spoil, message) => {
      expect(await spoiltDiary(spoil, { events: [answers] })).toContainEqual(expect.stringMatching(message));
    });
  });

  describe('in a study that is frozen from the 8th to the 10th,', () => {
    /** The service as it would be with the statement in its database. */
    const brokenBy = (statement: string) =>
      simulate(
        readScenario(
          diary({
            until: june(11, '20:00:00'),
            events: [
              { at: june(8, '09:00:00'), who: 'Ada', does: 'freezes-study' },
              { at: june(8, '10:00:00'), who: 'Chidi', does: 'answers', survey: 'Diary' },
              { at: june(10, '09:00:00'), who: 'Ada', does: 'unfreezes-study' },
            ],
          }),
        ),
        findViolations,
        { populate: async (_, database) => void (await database.query(statement)) },
      );

    test('nothing that is as it should be', async () => {
      expect(await brokenBy('select 1')).toEqual([]);
    });

    test('a push, when the service forgets the freeze', async () => {
      expect(
        await brokenBy(`create trigger forgetful after update of frozen_at on investigation
          when new.frozen_at is not null begin update investigation set frozen_at = null; end`),
      ).toContainEqual(expect.stringMatching(/Chidi, Diary, 2027-06-08, .*: study frozen/));
    });

    test('a skip after its end, when the service does not see that', async () => {
      expect(
        await brokenBy(`create trigger stubborn after update of frozen_at on investigation
          when new.frozen_at is null begin update investigation set frozen_at = old.frozen_at; end`),
      ).toContainEqual(expect.stringMatching(/2027-06-10: skipped as study-frozen .* was not frozen/));
    });

    test('a write that one trigger lets through', async () => {
      expect(await brokenBy('drop trigger case_added')).toEqual(['a case of a frozen study met: insert']);
    });
  });
});
