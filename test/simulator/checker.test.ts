import { describe, expect, test } from 'vitest';
import type { Run } from '../../dev/simulator/context.ts';
import { findViolations } from '../../dev/simulator/invariants.ts';
import { simulate } from '../../dev/simulator/run.ts';
import { readScenario } from '../../dev/simulator/scenario.ts';
import { diary, june } from './support.ts';

/** Runs a study that goes well, spoils what is left of it, and looks again. */
const spoilt = (spoil: (run: Run) => unknown, changes: Parameters<typeof diary>[0] = {}) =>
  simulate(readScenario(diary(changes)), async (run) => {
    expect(run.violations).toEqual([]);
    await spoil(run);
    return findViolations(run);
  });

const sql = (text: string) => (run: Run) => run.database.query(text);

describe('the checker finds', () => {
  test.each([
    [
      'a plan that is missing',
      'delete from scheduled_notification where settled_at is null',
      /expected to be pending: 2027-06-10 .* found nothing/,
    ],
    [
      'a scheduled date that vanishes without a trace',
      'delete from scheduled_notification where settled_at is null',
      /2027-06-10 was scheduled, and vanished without a trace/,
    ],
    [
      'a plan for another time',
      'update scheduled_notification set due_at = due_at + 60000 where settled_at is null',
      /found 2027-06-10 at 2027-06-10T12:01/,
    ],
    [
      'a stray plan',
      `insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone)
        select 'nobody', survey_id, 0, occurrence, 0, due_at, due_at, 'UTC' from scheduled_notification limit 1`,
      /a stray row/,
    ],
    [
      'a date without a record',
      "delete from scheduled_notification where occurrence = '2027-06-08'",
      /2027-06-08 was due and has no record/,
    ],
    [
      'a settled row that is written again',
      "update scheduled_notification set attempts = 9 where state = 'sent'",
      /was settled as sent, and then written again/,
    ],
    [
      'a skip without a reason',
      "update scheduled_notification set reason = null where state = 'skipped'",
      /settled as skipped without a reason/,
    ],
    [
      'a push that is recorded as a skip',
      "update scheduled_notification set state = 'skipped', reason = 'paused' where state = 'sent'",
      /reached a phone at .*, and was settled as skipped/,
    ],
  ])('%s', async (_, text, message) => {
    expect(await spoilt(sql(text))).toContainEqual(expect.stringMatching(message));
  });

  test('a second push of one occurrence to one phone', async () => {
    const found = await spoilt(({ relay }) => {
      const [first] = relay.accepted;
      if (first) relay.accepted.push({ ...first, at: first.at + 1000, now: first.now + 1000 });
    });
    expect(found).toEqual([
      expect.stringMatching(/got 2 pushes, and 1 at most were to come/),
      expect.stringMatching(/got it twice/),
    ]);
  });

  test('a second push that no death of the process explains', async () => {
    const found = await spoilt(({ relay }) => {
      const [first] = relay.accepted;
      if (!first?.task) throw new Error('nothing was sent');
      first.task.dead = true;
      relay.accepted.push({ ...first, task: { ...first.task, dead: false }, at: first.at + 1000 });
    });
    expect(found).toContainEqual(expect.stringMatching(/got it again at .*, and nothing died since/));
  });

  test('a row that says sent without a push', async () => {
    expect(await spoilt(({ relay }) => void relay.accepted.splice(0, 1))).toEqual([
      expect.stringMatching(/said to be sent, and was not/),
    ]);
  });

  test('a push of no occurrence', async () => {
    const found = await spoilt(({ relay }) => {
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
    const found = await spoilt(({ relay }) => {
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
    const sooner = (run: Run) => {
      const [first] = run.relay.accepted;
      if (!first) throw new Error('nothing was sent');
      first.at = first.runSince = first.now = first.runNow = Date.parse(june(8, '12:00:01'));
    };
    // The one push of these studies is that of the second day; said to be of the first it is unjust.
    const paused = await spoilt(sooner, {
      events: [{ at, who: 'Chidi', does: 'pauses', until: june(9, '08:00:00') }],
    });
    expect(paused).toContainEqual(expect.stringMatching(/2027-06-09, sent 2027-06-08.*not due/));
    const left = await spoilt(sooner, {
      events: [
        { at, who: 'Chidi', does: 'leaves' },
        { at: june(9, '10:00:00'), who: 'Chidi', does: 'joins' },
      ],
    });
    expect(left).toContainEqual(expect.stringMatching(/not a member/));
    const stranger = await spoilt(({ relay }) => {
      for (const push of relay.accepted) push.token = 'of somebody else';
    });
    expect(stranger).toContainEqual(expect.stringMatching(/of somebody else is not their phone/));
  });

  describe('of an answer to the first of two reminders,', () => {
    const answers = { at: june(8, '12:30:00'), who: 'Chidi', does: 'answers', survey: 'Diary' } as const;

    test.each([
      ['that it belongs to none', 'update response set notification = null', /belongs to null, expected/],
      [
        'that it is not noted',
        'update scheduled_notification set answered_at = null',
        /2027-06-08: the answer of 2027-06-08T12:30.* is not noted/,
      ],
      [
        'that the second one is answered by it, too',
        `update scheduled_notification set answered_at = (select created_at from response)
          where user_id = (select responder_id from response) and state = 'sent'`,
        /2027-06-09: answered by an answer of another reminder/,
      ],
    ])('%s', async (_, statement, message) => {
      expect(await spoilt(sql(statement), { events: [answers] })).toContainEqual(
        expect.stringMatching(message),
      );
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
