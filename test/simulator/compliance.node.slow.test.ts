import { describe, expect, test } from 'vitest';
import { findWrongCompliance } from '../../simulator/compliance-checks.ts';
import { type Facts, factsOf, occurrenceId, readStored, type Stored } from '../../simulator/facts.ts';
import { findWrongOccurrences } from '../../simulator/occurrence-checks.ts';
import { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import { type Row, readRows } from '../../simulator/tables.ts';
import { reconcile } from '../../src/operations/jobs.ts';
import { daily, diary, june } from './support.ts';

const habits = { share: 0.8, after: [2, 40, 300], snooze: [20] };
const phone = (timeZone: string) => [{ name: 'pixel', timeZone }];
const allDays = { from: june(8, '08:00:00'), until: june(11, '20:00:00') };

/** Days of two surveys around the world, with everything that a study can lose people to. */
const days = (changes: Partial<ScenarioFile> = {}): ScenarioFile =>
  diary({
    ...allDays,
    surveys: [
      { name: 'Diary', reminders: { ...daily, unlessAnswered: true, expiresAfter: 240 } },
      {
        name: 'Mood',
        reminders: {
          ...daily,
          recurrence: '* * * * *',
          windows: [
            { from: '09:00', to: '11:00', count: 2 },
            { from: '18:00', to: '22:00' },
          ],
          followUps: { every: 60, max: 2 },
        },
      },
    ],
    members: [
      { name: 'Ada', role: 'owner' },
      { name: 'Chidi', phones: phone('Asia/Tokyo'), habits },
      { name: 'Dana', phones: phone('America/Los_Angeles'), habits },
      { name: 'Emil', phones: phone('Pacific/Kiritimati'), habits: { ...habits, share: 0.2 } },
      { name: 'Fay', phones: phone('Pacific/Pago_Pago') },
    ],
    events: [
      { at: june(9, '09:00:00'), who: 'Dana', does: 'leaves' },
      { at: june(10, '12:00:00'), who: 'Fay', does: 'deletes-account' },
      { at: june(10, '10:00:00'), who: 'Chidi', does: 'pauses', until: june(11, '02:00:00') },
      { at: june(11, '01:00:00'), who: 'Ada', does: 'archives-survey', survey: 'Diary' },
      { at: june(11, '02:00:00'), who: 'Dana', does: 'joins' },
      { at: june(11, '18:00:00'), who: 'Emil', does: 'reports' },
    ],
    ...changes,
  });

type Spoil = (stored: Stored) => Partial<Stored>;

/** The findings of a check, for each way in which what the service has kept is spoilt. */
const findingsOf = (
  check: (facts: Facts) => Promise<string[]>,
  file: ScenarioFile,
  spoils: Spoil[] = [() => ({})],
) =>
  simulate(readScenario(file), async (run) => {
    const stored = await readStored(run);
    const findings: string[][] = [];
    for (const spoil of spoils) findings.push(await check(factsOf(run, { ...stored, ...spoil(stored) })));
    return findings;
  });

/** The first of these rows is another one, or none. */
const row =
  (which: (row: Row) => boolean, change: Partial<Row> | null): Spoil =>
  ({ rows }) => {
    const found = rows.find(which);
    if (!found) throw new Error('no row is like that');
    return {
      rows: rows.flatMap((one) => (one === found ? (change ? [{ ...one, ...change }] : []) : [one])),
    };
  };
const isSent = ({ state }: Row) => state === 'sent';
const isUnanswered = (row: Row) => isSent(row) && row.answeredAt === null;

describe('compliance', () => {
  test('adds up to what became of each occurrence, for any period, survey and attention', async () => {
    expect(await findingsOf(findWrongCompliance, days())).toEqual([[]]);
  });

  test('after crashes, writes of which the answer was lost, and alarms that ring twice', async () => {
    const noon = { from: june(9, '02:50:00'), until: june(9, '03:20:00') };
    const faults: NonNullable<ScenarioFile['faults']> = [
      { what: 'crash', at: june(8, '12:00:00'), point: 'after-commit' },
      { what: 'crash', at: june(9, '19:00:00'), point: 'before-commit', downSeconds: 60 },
      { what: 'crash', at: june(10, '03:00:00'), point: 'after-publish' },
      { what: 'database', is: 'lost-after-commit', share: 0.5, ...noon },
      { what: 'database', is: 'lost-after-commit', share: 0.2, ...allDays },
      { what: 'alarms', is: 'twice', share: 0.5, ...allDays },
      { what: 'relay', is: 'down', from: june(10, '18:00:00'), until: june(11, '01:00:00') },
    ];
    expect(await findingsOf(findWrongCompliance, days({ seed: 3, faults }))).toEqual([[]]);
  });

  test('stays when the notifications are purged', async () => {
    expect(await purged()).toEqual([]);
  });

  const isAnswered = (row: Row) => isSent(row) && row.answeredAt !== null;
  const ofTotals = /the totals: |the days: /;
  const spoilt: [string, Spoil, RegExp][] = [
    ['what was shown', row((row) => isSent(row) && row.shownAt === null, { shownAt: 1 }), ofTotals],
    ['what was opened', row((row) => isSent(row) && row.openedAt === null, { openedAt: 1 }), ofTotals],
    ['what was answered', row(isUnanswered, { answeredAt: 1 }), ofTotals],
    ['what was sent', row((row) => row.state === 'skipped', { state: 'sent' }), ofTotals],
    ['what failed', row(isSent, { state: 'failed', reason: 'relay' }), ofTotals],
    ['what was skipped', row(isSent, { state: 'skipped', reason: 'paused' }), ofTotals],
    ['counted twice', ({ rows }) => ({ rows: [...rows, ...rows.filter(isSent)] }), /the counts of /],
    ['taken back', row(isAnswered, { state: 'invalidated' }), /: answered at .*, and counts nowhere$/],
  ];

  test('the checks notice totals, counts and answers that are other ones', async () => {
    const findings = await findingsOf(
      findWrongCompliance,
      days({ seed: 2 }),
      spoilt.map(([, spoil]) => spoil),
    );
    for (const [n, [what, , message]] of spoilt.entries())
      expect(findings[n], what).toContainEqual(expect.stringMatching(message));
  });
});

describe('the list of occurrences', () => {
  test('has each settled occurrence once, with its answer, and the counts of compliance', async () => {
    expect(await findingsOf(findWrongOccurrences, days({ seed: 2 }))).toEqual([[]]);
  });

  const isNudged = (row: Row) => isSent(row) && row.followUps.some(({ state }) => state === 'sent');
  /** The first response to a reminder that is listed is another one. */
  const response =
    (change: Partial<Stored['responses'][number]>): Spoil =>
    (stored) => {
      const listed = new Set(stored.rows.filter(isSent).map(occurrenceId));
      const found = stored.responses.find(
        ({ notification, deleted }) => notification !== null && listed.has(notification) && !deleted,
      );
      if (!found) throw new Error('no response is like that');
      return { responses: stored.responses.map((one) => (one === found ? { ...one, ...change } : one)) };
    };
  const spoilt: [string, Spoil][] = [
    ['a row that is missing', row(isSent, null)],
    ['a row of another zone', row(isSent, { timeZone: 'Europe/Rome' })],
    ['a row of another revision', row(isSent, { revision: 7 })],
    ['an answer', row(isUnanswered, { answeredAt: 1 })],
    ['a nudge', row(isNudged, { followUps: [] })],
    ['another outcome', row(isSent, { state: 'skipped', reason: 'paused' })],
    ['a response that is deleted', response({ deleted: true })],
    ['a response of nothing', response({ notification: null })],
    ['each row twice', ({ rows }) => ({ rows: [...rows, ...rows] })],
  ];

  test('the checks notice rows that are other ones', async () => {
    const findings = await findingsOf(
      findWrongOccurrences,
      days({ seed: 2 }),
      spoilt.map(([, spoil]) => spoil),
    );
    for (const [n, [what]] of spoilt.entries())
      expect(findings[n], what).toContainEqual(expect.stringMatching(/^occurrences from the beginning/));
  });

  test('the checks notice counts of compliance that are not those of the rows', async () => {
    const findings = await simulate(readScenario(days({ seed: 2 })), async (run) => {
      const facts = factsOf(run, await readStored(run));
      // A row that compliance counts is hidden from both lists.
      const [sent] = facts.rows.filter(isSent);
      const people = Object.create(run.people);
      people.once = async (...request: Parameters<typeof run.people.once>) => {
        const answer = await run.people.once(...request);
        const { occurrences } = answer.body as { occurrences?: { identifier: string }[] };
        const hidden = sent && occurrenceId(sent);
        return occurrences
          ? {
              ...answer,
              body: { ...answer.body, occurrences: occurrences.filter((one) => one.identifier !== hidden) },
            }
          : answer;
      };
      const rows = facts.rows.filter((one) => one !== sent);
      return findWrongOccurrences({ ...facts, rows, run: { ...run, people } });
    });
    expect(findings).toEqual([
      expect.stringMatching(/^compliance of everybody: .*, expected by occurrences: /),
      expect.stringMatching(/^compliance of [0-9a-f]{32}: .*, expected by occurrences: /),
    ]);
  });
});

/** The same questions after the history is purged. */
const purged = () =>
  simulate(readScenario(days()), async (run) => {
    const facts = factsOf(run, await readStored(run));
    run.world.jump(402 * 86_400_000);
    await run.world.spawn('reconcile', () => reconcile(run.server.services));
    expect((await readRows(run.database)).length).toBeLessThan(facts.rows.length / 2);
    return findWrongCompliance(facts);
  });
