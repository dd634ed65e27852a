import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { randomScenario } from '../../simulator/random.ts';
import { textReport } from '../../simulator/report.ts';
import { readScenario } from '../../simulator/scenario.ts';
import { datesOf, diary, june, outcomeOf, pushesTo } from './support.ts';

const example = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../simulator/examples/${name}.json`, import.meta.url), 'utf8'));

test('two weeks of a sleep diary: travel, clock changes, an outage, a pause, an answer, and why not', async () => {
  const outcome = await outcomeOf(await example('sleep-diary'));
  expect(outcome.violations).toEqual([]);
  expect(outcome.refusals).toEqual([]);
  const text = textReport(outcome);
  for (const line of [
    '  2027-03-25 21:30 Asia/Tokyo (2027-03-25T12:30Z)  Diary  sent, 9',
    // Clocks went forward in Paris in the night before.
    '  2027-03-28 21:30 Europe/Paris (2027-03-28T19:30Z)  Diary  sent',
    '  2027-03-29 21:30 Europe/Paris (2027-03-29T19:30Z)  Diary  skipped: answered',
    '  2027-03-30 20:00 America/New_York (2027-03-31T00:00Z)  Diary  skipped: paused',
    'The invariants hold.',
  ])
    expect(text).toContain(line);
});

test('while a study is frozen reminders are skipped and nothing is written; afterwards they return', async () => {
  const outcome = await outcomeOf(
    diary({
      until: june(11, '20:00:00'),
      events: [
        { at: june(9, '09:00:00'), who: 'Ada', does: 'freezes-study' },
        { at: june(9, '10:00:00'), who: 'Chidi', does: 'answers', survey: 'Diary' },
        { at: june(9, '11:00:00'), who: 'Ada', does: 'archives-survey', survey: 'Diary' },
        { at: june(10, '18:00:00'), who: 'Ada', does: 'unfreezes-study' },
      ],
    }),
  );
  expect(outcome.violations).toEqual([]);
  expect(outcome.refusals.map(({ who, status }) => `${who} ${status}`)).toEqual(['Chidi 423', 'Ada 423']);
  expect(datesOf(outcome, 'Chidi')).toEqual([
    '2027-06-08 sent',
    '2027-06-09 skipped: study-frozen',
    '2027-06-10 skipped: study-frozen',
    '2027-06-11 sent',
    '2027-06-12 scheduled',
  ]);
});

test('a night when clocks change: each date once, at its wall time or as clocks moved it', async () => {
  const outcome = await outcomeOf(await example('clock-change'));
  expect(outcome.violations).toEqual([]);
  expect(datesOf(outcome, 'Paris')).toEqual([
    '2027-03-27 sent',
    '2027-03-28 sent',
    '2027-03-29 sent',
    '2027-03-30 scheduled',
  ]);
  // 02:30 does not exist on the 28th: it is 03:30 in summer time, 01:30 UTC.
  expect(pushesTo(outcome, 'Paris').map((at) => at.slice(0, 8))).toEqual([
    '27 01:30',
    '28 01:30',
    '29 00:30',
  ]);
  expect(pushesTo(outcome, 'Kathmandu').map((at) => at.slice(0, 8))).toEqual([
    '26 20:45',
    '27 20:45',
    '28 20:45',
  ]);
});

test('an outage of three days: at most one push each, and a record for each date', async () => {
  const outcome = await outcomeOf(await example('outage'));
  expect(outcome.violations).toEqual([]);
  const states = datesOf(outcome, 'Chidi').map((date) => date.slice(5));
  expect(states).toEqual([
    '06-08 sent',
    '06-09 skipped: expired',
    '06-10 skipped: expired',
    '06-11 sent',
    '06-12 sent',
    '06-13 scheduled',
  ]);
});

test('runs of the same study are identical, to the last identifier', async () => {
  const file = { ...randomScenario(21), reconcile: true };
  const strip = ({ run, ...results }: Awaited<ReturnType<typeof outcomeOf>>) => ({
    ...results,
    log: run.server.log,
    trips: run.database.counts,
  });
  const first = strip(await outcomeOf(file));
  expect(first.totals.pushes).toBeGreaterThan(0);
  expect(strip(await outcomeOf(file))).toEqual(first);
  expect(strip(await outcomeOf({ ...file, seed: 22 }))).not.toEqual(first);
});

test("the process's own chance and timers are put back, also when a run fails", async () => {
  const before = [Math.random, globalThis.setTimeout, crypto.getRandomValues];
  await outcomeOf(diary({ until: june(8, '09:00:00') }));
  expect([Math.random, globalThis.setTimeout, crypto.getRandomValues]).toEqual(before);
  const refused = diary({ surveys: [{ name: 'Diary', reminders: { recurrence: 'never' } }] });
  await expect(outcomeOf(refused)).rejects.toThrow("the survey 'Diary' was refused");
  expect([Math.random, globalThis.setTimeout, crypto.getRandomValues]).toEqual(before);
});

test('requests that the service refuses are in the report', async () => {
  const outcome = await outcomeOf(
    diary({ events: [{ at: june(8, '09:00:00'), who: 'Chidi', does: 'archives-study' }] }),
  );
  expect(outcome.refusals).toMatchObject([
    { who: 'Chidi', status: 403, detail: 'Only owners and editors change a study.' },
  ]);
  expect(textReport(outcome)).toContain('Requests that the service refused:');
});

test.each([
  [{ from: '2027-06-08' }, '/from: Expected an instant with its offset'],
  [{ until: june(8, '07:00:00') }, '/until: Expected an instant after `from`.'],
  [{ study: { timeZone: 'utc+5' } }, '/study/timeZone: Expected the exact name of an IANA time zone'],
  [{ surveys: [] }, '/surveys: Expected at least one survey.'],
  [{ members: [{ name: 'Ada' }, { name: 'Ada' }] }, '/members: Expected each name once.'],
  [
    { members: [{ name: 'Ada', downloads: ['Dairy'] }] },
    "/members/0/downloads/0: There is no survey 'Dairy'",
  ],
  [
    { events: [{ at: june(8, '09:00:00'), who: 'Eve', does: 'leaves' }] },
    "/events/0/who: There is no member 'Eve'",
  ],
  [
    { events: [{ at: june(1, '09:00:00'), who: 'Ada', does: 'leaves' }] },
    '/events/0/at: Expected an instant between',
  ],
  [
    { events: [{ at: june(8, '09:00:00'), who: 'Ada', does: 'flies' }] },
    '/events/0/does: Expected one of the things',
  ],
  [{ faults: [{ what: 'moon' }] }, '/faults/0/what: Expected one of the faults'],
  [{ days: 3 }, 'Unrecognized key: "days"'],
])('a study that is not one is refused, and each fault named: %j', (change, message) => {
  expect(() => readScenario({ ...diary(), ...change })).toThrow(message);
});
