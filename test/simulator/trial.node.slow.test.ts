import { describe, expect, test } from 'vitest';
import { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import { daily, datesOf, outcomeOf } from './support.ts';

const arms = { name: 'arm', values: ['a', 'b'] };
const sites = { name: 'site', values: ['lyon', 'oslo', 'paris'] };

/** Three sites with two people each, two blinded arms, a monitor for each site, and a data manager: eight weeks. */
const trial = (changes: Partial<ScenarioFile> = {}): ScenarioFile => {
  const people = sites.values.flatMap((site, s) =>
    ['a', 'b'].map((arm, n) => ({
      name: `${arm} of ${site}`,
      properties: { site, arm },
      timeZone: ['Europe/Paris', 'Europe/Oslo'][s % 2] as string,
      phones: [{ name: 'pixel', timeZone: 'Europe/Paris' }],
      habits: { share: 0.6, after: [5, 60] },
      ...(n === 1 && { dates: { surgery: `2027-03-${String(10 + s).padStart(2, '0')}` } }),
    })),
  );
  return {
    name: 'A trial',
    from: '2027-03-01T06:00:00Z',
    until: '2027-04-26T06:00:00Z',
    study: {
      timeZone: 'Europe/Paris',
      startsOn: '2027-03-01',
      dates: ['surgery'],
      properties: [sites, { ...arms, blinded: true }],
    },
    surveys: [
      { name: 'Diary', reminders: daily },
      { name: 'Mood', reminders: { ...daily, recurrence: '0 18 * * 1,4' }, for: { arm: ['b'] } },
      { name: 'Visit', reminders: { ...daily, recurrence: '0 9 * * 2' }, for: { site: ['lyon', 'oslo'] } },
    ],
    members: [
      { name: 'Ada', role: 'owner' },
      ...sites.values.map((site) => ({
        name: `Monitor of ${site}`,
        role: 'monitor' as const,
        scope: { site: [site] },
      })),
      { name: 'Data manager', role: 'editor' },
      ...people,
    ],
    events: [
      {
        at: '2027-03-15T10:00:00Z',
        who: 'Ada',
        does: 'changes-properties',
        of: 'a of lyon',
        properties: { arm: 'b' },
      },
      {
        at: '2027-03-22T10:00:00Z',
        who: 'Ada',
        does: 'changes-properties',
        of: 'b of oslo',
        properties: { site: 'paris' },
      },
      { at: '2027-04-05T10:00:00Z', who: 'a of paris', does: 'leaves' },
    ],
    ...changes,
  };
};

describe('in a trial of three sites and two blinded arms, for eight weeks,', () => {
  test('everybody is reminded of what is for them, and everything that the staff saw is theirs to see', async () => {
    const { run, violations, ...results } = await outcomeOf(trial());
    expect(violations).toEqual([]);
    expect(run.refusals).toEqual([]);
    expect(run.records.looks.done).toBeGreaterThan(10);
    const sentTo = (name: string) =>
      datesOf({ ...results, violations } as never, name).filter((one) => one.endsWith('sent'));
    // 56 diaries and 8 visits; in arm b two moods a week, from the change on, too.
    expect(sentTo('b of lyon').length).toBeGreaterThan(sentTo('a of oslo').length + 10);
    expect(sentTo('a of lyon').length).toBeGreaterThan(sentTo('a of oslo').length + 8);
  });

  test.each([
    [
      'a monitor who sees all sites',
      `update member set scope = null where scope is not null`,
      /Monitor of .* sees/,
    ],
    ['a survey that is not blinded', 'update survey set blinded = 0', /Data manager sees/],
    [
      'a property that is shown',
      "update investigation set course = json_remove(course, '$.properties[1].blinded')",
      /shows arm|reads the feed/,
    ],
  ])('but not %s', async (what, statement, message) => {
    const short = trial({ until: '2027-03-04T06:00:00Z', events: [] });
    const found = await simulate(readScenario(short), async (run) => run.records.looks.wrong, {
      populate: async (_, database) => {
        await database.query(`create trigger later after insert on notification begin ${statement}; end`);
      },
    });
    expect(found, what).toContainEqual(expect.stringMatching(message));
  });
});
