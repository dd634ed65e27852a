import { describe, expect, test } from 'vitest';
import type { Stored } from '../../simulator/facts.ts';
import type { ScenarioFile } from '../../simulator/scenario.ts';
import type { Row, StoredResponse } from '../../simulator/tables.ts';
import { datesOf, june, outcomeOf, pushesTo, spoilt } from './support.ts';

type Events = NonNullable<ScenarioFile['events']>;

const following = (survey: string, trigger: object = {}, more: object = {}) => ({
  type: 'triggered',
  recurrence: null,
  trigger: { survey, after: 20, ...trigger },
  notification: { subject: 'Migraine', body: 'How is your head now?' },
  ...more,
});

/** A day of a study of migraines: Ada owns it, and Chidi is reminded twenty minutes after each migraine that he reports. */
function migraines(changes: Partial<ScenarioFile> = {}): ScenarioFile {
  return {
    name: 'Migraines',
    from: june(8, '08:00:00'),
    until: june(8, '20:00:00'),
    study: { timeZone: 'UTC', startsOn: '2027-06-08' },
    surveys: [
      { name: 'Migraine', reminders: null },
      { name: 'Afterwards', reminders: following('Migraine') },
    ],
    members: [
      { name: 'Ada', role: 'owner' },
      { name: 'Chidi', phones: [{ name: 'pixel', timeZone: 'UTC' }] },
    ],
    reconcile: false,
    ...changes,
  };
}

const chidi = (time: string, event: object): Events[number] =>
  ({ at: june(8, time), who: 'Chidi', survey: 'Migraine', ...event }) as Events[number];
const reports = (time: string, more: object = {}) => chidi(time, { does: 'answers', q1: 'badly', ...more });

const outcome = async (changes: Partial<ScenarioFile>) => {
  const found = await outcomeOf(migraines(changes));
  expect(found.violations).toEqual([]);
  return found;
};

describe('Chidi is reminded of a migraine', () => {
  test('once for each report, however often the phone sends it, and of none that is deleted or does not fit', async () => {
    const found = await outcome({
      surveys: [
        { name: 'Migraine', reminders: null },
        { name: 'Afterwards', reminders: following('Migraine', { where: { q1: ['badly'] } }) },
      ],
      events: [
        reports('09:00:00'),
        chidi('09:10:00', { does: 'repeats-answer' }),
        reports('10:00:00'),
        chidi('10:10:00', { does: 'deletes-answer' }),
        reports('11:00:00', { q1: 'well' }),
        chidi('11:10:00', { does: 'edits-answer', q1: 'badly' }),
        chidi('11:15:00', { does: 'edits-answer', q1: 'well' }),
        chidi('11:18:00', { does: 'edits-answer', q1: 'badly' }),
        chidi('11:30:00', { does: 'edits-answer', q1: 'well' }),
        chidi('11:40:00', { does: 'edits-answer', q1: 'badly' }),
        chidi('12:00:00', { does: 'repeats-answer', nth: 2 }),
        chidi('13:00:00', { does: 'restores-answer', nth: 1 }),
        reports('14:00:00', { q1: 'well' }),
      ],
    });
    expect(pushesTo(found, 'Chidi').map((at) => at.slice(0, 8))).toEqual([
      '08 09:20',
      '08 11:20',
      '08 13:00',
    ]);
    expect(datesOf(found, 'Chidi').toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => '2027-06-08 sent'),
    ]);
  });

  test('by the newest report alone, if nothing rang for an hour', async () => {
    const found = await outcome({
      events: [reports('09:00:00'), reports('09:05:00'), reports('09:10:00', { minutesAgo: 2 })],
      faults: [{ what: 'crash', at: june(8, '09:12:00'), downSeconds: 3600 }],
    });
    expect(pushesTo(found, 'Chidi')).toHaveLength(1);
    expect(datesOf(found, 'Chidi').toSorted()).toEqual([
      '2027-06-08 sent',
      '2027-06-08 skipped: superseded',
      '2027-06-08 skipped: superseded',
    ]);
  });

  test('again and again where two surveys follow each other, at a pace of five minutes, and not of four', async () => {
    const survey = (name: string, after: number) => ({ name, reminders: following('Afterwards', { after }) });
    const found = await outcome({
      surveys: [
        { name: 'Migraine', reminders: following('Afterwards', { after: 5 }) },
        { name: 'Afterwards', reminders: following('Migraine', { after: 5 }) },
      ],
      members: [
        { name: 'Ada', role: 'owner' },
        {
          name: 'Chidi',
          phones: [{ name: 'pixel', timeZone: 'UTC' }],
          habits: { after: [2], snooze: [5], share: 1 },
        },
      ],
      until: june(8, '12:00:00'),
      events: [
        reports('09:00:00'),
        {
          at: june(8, '09:30:00'),
          who: 'Ada',
          does: 'edits-reminders',
          ...{ survey: 'Migraine', reminders: survey('Migraine', 4).reminders },
        },
      ],
    });
    expect(pushesTo(found, 'Chidi').length).toBeGreaterThan(1);
    expect(found.refusals).toMatchObject([
      { who: 'Ada', status: 400, detail: expect.stringMatching(/5 minutes/) },
    ]);
  });
});

describe('the checker finds', () => {
  const removed =
    <T>(list: 'rows' | 'responses', which: (one: T) => boolean) =>
    (stored: Stored) => {
      Object.assign(stored, { [list]: (stored[list] as T[]).filter((one) => !which(one)) });
    };
  const isScheduled = ({ state }: Row) => state === null;
  const cameAfter = (time: string) => (one: StoredResponse) => one.received > Date.parse(june(8, time));

  test.each<[string, (stored: Stored) => unknown, RegExp]>([
    [
      'a report that nobody is reminded of',
      removed<Row>('rows', isScheduled),
      /Afterwards: expected to be pending: 2027-06-08 .* at 2027-06-08T20:15.*; found nothing/,
    ],
    [
      'a reminder at another time',
      ({ rows }) => {
        for (const row of rows.filter(isScheduled)) row.dueAt += 60_000;
      },
      /found 2027-06-08 .* at 2027-06-08T20:16/,
    ],
    [
      'a reminder of a report that is gone',
      ({ responses }) => {
        for (const response of responses.filter(cameAfter('19:00:00'))) response.deleted = true;
      },
      /expected to be pending: nothing; found 2027-06-08/,
    ],
    [
      'a report that is not there',
      removed<StoredResponse>('responses', (one) => !cameAfter('09:30:00')(one)),
      /the response .* is not there/,
    ],
    [
      'a report that nobody gave',
      ({ responses }) => responses.push(...responses.slice(0, 1).map((one) => ({ ...one, id: 'another' }))),
      /there are responses that nobody gave/,
    ],
    [
      'a report that was reminded of under two revisions of the reminders',
      ({ rows }) =>
        rows.push(
          ...rows
            .filter(({ state }) => state === 'sent')
            .map((row): Row => ({ ...row, revision: 0, state: 'skipped', reason: 'paused' })),
        ),
      /its response was settled twice/,
    ],
  ])('%s', async (_, spoil, message) => {
    const events = [reports('09:00:00'), reports('10:00:00'), reports('19:55:00')];
    expect(await spoilt(migraines({ events }), spoil)).toContainEqual(expect.stringMatching(message));
  });
});
