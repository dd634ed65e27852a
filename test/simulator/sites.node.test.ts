import { describe, expect, test } from 'vitest';
import { findViolations } from '../../simulator/invariants.ts';
import { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import { daily, datesOf, diary, june, outcomeOf } from './support.ts';

const arms = { name: 'arm', values: ['a', 'b'] };
const chidi = { name: 'Chidi', phones: [{ name: 'pixel', timeZone: 'UTC' }] };

describe('of a survey for arm b,', () => {
  const armed = (changes: Partial<ScenarioFile>): ScenarioFile =>
    diary({
      study: { timeZone: 'UTC', startsOn: '2027-06-08', properties: [arms] },
      surveys: [{ name: 'Diary', reminders: daily, for: { arm: ['b'] } }],
      until: june(12, '20:00:00'),
      members: [
        { name: 'Ada', role: 'owner' },
        { ...chidi, properties: { arm: 'a' } },
      ],
      ...changes,
    });
  const moves = (day: number, arm: string | null, time = '09:00:00') =>
    ({
      at: june(day, time),
      who: 'Ada',
      does: 'changes-properties',
      of: 'Chidi',
      properties: { arm },
    }) as const;

  test('somebody of arm a gets nothing', async () => {
    const outcome = await outcomeOf(armed({}));
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi')).toEqual([]);
  });

  test('somebody who changes their arm in the middle gets those that are due in it, each date once', async () => {
    const events = [moves(9, 'b'), moves(11, 'a'), moves(11, 'b', '12:30:00'), moves(11, 'a', '13:00:00')];
    const outcome = await outcomeOf(armed({ events }));
    expect(outcome.violations).toEqual([]);
    const sent = datesOf(outcome, 'Chidi').filter((one) => one.endsWith('sent'));
    // That of the 11th was open for as long as they were in the arm again.
    expect(sent).toEqual(['2027-06-09 sent', '2027-06-10 sent', '2027-06-11 sent']);
  });

  test('the survey may become one for others', async () => {
    const outcome = await outcomeOf(
      armed({
        events: [
          { at: june(10, '09:00:00'), who: 'Ada', does: 'changes-for', survey: 'Diary', for: { arm: ['a'] } },
        ],
      }),
    );
    expect(outcome.violations).toEqual([]);
    expect(datesOf(outcome, 'Chidi').filter((one) => one.endsWith('sent')).length).toBe(3);
  });

  describe('the oracle finds', () => {
    /** The service as it would be with the statement in its database. */
    const brokenBy = (statement: string, events: ScenarioFile['events'] = []) =>
      simulate(readScenario(armed({ events })), findViolations, {
        populate: async (_, database) => void (await database.query(statement)),
      });

    test('a push to the other arm', async () => {
      expect(await brokenBy('update survey set "for" = null', [moves(9, null)])).toContainEqual(
        expect.stringMatching(/Chidi, Diary, 2027-06-.*not in its group/),
      );
    });

    test('a change of the arm that is not heard of', async () => {
      const found = await brokenBy(
        `create trigger deaf after update of properties on member when new.properties is not old.properties begin
          update member set properties = old.properties where user_id = new.user_id; end`,
        [moves(9, 'b')],
      );
      expect(found).toContainEqual(expect.stringMatching(/Chidi, Diary: expected to be pending/));
    });
  });
});
