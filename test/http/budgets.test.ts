import { beforeAll, describe, expect, test } from 'vitest';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * D1 is paid by rows and is slow by round trips. Its own counters say what an operation costs, on any machine.
 * Each is measured in a study of thousands of items, so that a plan that walks the study shows.
 */

const { measure, counts } = countedApp();
const perRequest = 10;
let study: Study;
let cases: string[];
/** The responder's own, and those of another. */
let own: string[];
let others: string[];

beforeAll(async () => {
  study = await sleepStudy();
  cases = await seedCases(study, 2000);
  own = await seedResponses(study, 400, { of: cases[0] ?? '' });
  others = await seedResponses(study, 3000, { by: study.other.id, of: cases[1] ?? '' });
});

const pick = (list: string[], n: number) => list[n] ?? '';

describe('a GET of one item: one round trip, at most 10 rows more than the one', () => {
  test.each(['owner', 'editor', 'responder'] as const)('as %s', async (role) => {
    for (const path of [`/response/${own[200]}`, `/case/${cases[0]}`, `/response/${own[200]}/revisions`]) {
      const { answer, ...cost } = await measure(study[role], 'GET', path);
      expect(answer.status, path).toBe(200);
      expect(cost, path).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(cost.rowsRead, path).toBeLessThanOrEqual(1 + perRequest);
    }
  });

  test('also when there is nothing to see', async () => {
    const { answer, ...cost } = await measure(study.responder, 'GET', `/response/${others[0]}/revisions`);
    expect(answer.status).toBe(404);
    // A second one asks whether the caller is still signed up, before it says that there is nothing.
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
    expect(cost.rowsRead).toBeLessThanOrEqual(perRequest);
  });
});

/** The part of the study that the reader sees, of which nothing is read then; and whether the study has properties. */
const scopeRows = 3;

describe('a page of a list: one round trip; each row, the name beside it, and at most 10 rows more', () => {
  const pages: ['owner' | 'editor' | 'responder', string, string, number][] = [
    ['owner', 'responses', '', 100],
    ['editor', 'responses', '', 1000],
    ['owner', 'responses', 'responder=:responder', 100],
    ['responder', 'responses', '', 100],
    ['responder', 'responses', 'responder=:responder', 399],
    ['owner', 'cases', '', 100],
    ['editor', 'cases', '', 1000],
  ];
  test.each(pages)('as %s: %s %s, %i rows', async (role, name, filter, limit) => {
    const path = `/investigation/${study.id}/${name}?limit=${limit}&${filter.replace(':responder', study.responder.id)}`;
    let url = path;
    for (const _ of [1, 2]) {
      const { answer, ...cost } = await measure(study[role], 'GET', url);
      const returned = answer.body[name].length;
      expect(returned).toBeGreaterThan(0);
      expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(cost.rowsRead).toBeLessThanOrEqual(2 * returned + perRequest + scopeRows);
      if (!answer.body.next) break;
      url = `${path}&cursor=${answer.body.next}`;
    }
  });

  test('CSV costs no more than its columns, two names more for each row, and an entry that counts all rows', async () => {
    const path = `/investigation/${study.id}/responses?limit=100`;
    const { answer, ...cost } = await measure(study.owner, 'GET', path, undefined, { accept: 'text/csv' });
    expect(answer.text.split('\r\n')).toHaveLength(102);
    expect(cost).toMatchObject({ roundTrips: 4, rowsWritten: 2 });
    expect(cost.rowsRead).toBeLessThanOrEqual(4 * 100 + 3_400 + 3 * perRequest);
  });

  test("a responder's cases: what is theirs is read, and not the study", async () => {
    const { answer, ...cost } = await measure(study.other, 'GET', `/investigation/${study.id}/cases`);
    expect(answer.body.cases).toHaveLength(1);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    const few = await measure(study.responder, 'GET', `/investigation/${study.id}/cases?limit=5`);
    expect(few.answer.body.cases).toHaveLength(1);
    expect(few.rowsRead).toBeLessThanOrEqual(own.length + 2 * perRequest);
  });

  test('the activity log', async () => {
    const busy = await sleepStudy();
    const night = await newCase(busy, busy.owner);
    for (let n = 0; n < 40; n++)
      await lock(busy.owner, busy, { cases: [night] }, n % 2 ? 'unlocked' : 'locked');
    const { answer, ...cost } = await measure(
      busy.owner,
      'GET',
      `/investigation/${busy.id}/activity?limit=10`,
    );
    expect(answer.body.activities).toHaveLength(10);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThanOrEqual(2 * 10 + perRequest);
  });
});

/** An entry of the log, and the two indexes by which it is found: by identifier and by who made it. */
const entryRows = 3;
/** The row of a thing in the feed of changes, and its index. */
const changeRows = 2;
/** The latest sequence, the entry of the log whose time the change has, and the webhooks that wait for one. */
const changeReads = 3;

/** The bytes that a participant wrote today, and those of all participants. */
const writtenRows = 2;

/** Rows of indexes that have the state of an item: one of a case, three of a response. */
const stateRows = { case: 1, response: 3 };

describe('lock n items: 2 round trips, n + 1 rows written and those of indexes, rows read in proportion to n', () => {
  const request = (ids: string[], responses: string[], status: string) => ({
    cases: ids.map((identifier) => ({ identifier })),
    responses: responses.map((identifier) => ({ identifier })),
    status,
  });
  test.each([1, 10, 100, 500])('%i cases and as many responses', async (n) => {
    const from = 1000;
    const [ids, answered] = [cases.slice(from, from + n), others.slice(from, from + n)];
    for (const status of ['locked', 'unlocked']) {
      const path = `/investigation/${study.id}/lock-items`;
      const { answer, ...cost } = await measure(study.owner, 'POST', path, request(ids, answered, status));
      expect(answer.status, answer.text).toBe(204);
      expect(cost).toMatchObject({
        roundTrips: 2,
        rowsWritten: 2 * n + entryRows + (stateRows.case + stateRows.response + 2 * changeRows) * n,
      });
      expect(cost.rowsRead).toBeLessThanOrEqual((8 + changeReads) * 2 * n + perRequest);
    }
  });

  test('as a responder', async () => {
    const path = `/investigation/${study.id}/lock-items`;
    const { answer, ...cost } = await measure(
      study.responder,
      'POST',
      path,
      request(cases.slice(0, 1), own.slice(0, 50), 'locked'),
    );
    expect(answer.status, answer.text).toBe(204);
    expect(cost).toMatchObject({
      roundTrips: 2,
      rowsWritten: 51 + entryRows + writtenRows + stateRows.case + stateRows.response * 50 + 51 * changeRows,
    });
    expect(cost.rowsRead).toBeLessThanOrEqual((8 + changeReads) * 51 + perRequest + 2 * writtenRows);
    await lock(study.responder, study, { cases: cases.slice(0, 1), responses: own.slice(0, 50) }, 'unlocked');
  });

  test('nothing is written where nothing changes', async () => {
    const path = `/investigation/${study.id}/lock-items`;
    const cost = await measure(study.owner, 'POST', path, request(cases.slice(0, 50), [], 'unlocked'));
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  });

  test('archive and delete cost the same, and the index that purging needs, and the room that becomes free', async () => {
    for (const [route, there, otherRows] of [
      ['archive-items', 'archived', 0],
      ['delete-items', 'deleted', 10 + 1],
    ] as const) {
      const path = `/investigation/${study.id}/${route}`;
      const cost = await measure(study.owner, 'POST', path, request(cases.slice(1900, 1910), [], there));
      expect(cost).toMatchObject({
        roundTrips: 2,
        rowsWritten: 10 + entryRows + (stateRows.case + changeRows) * 10 + otherRows,
      });
    }
  });
});

describe('edits and creations', () => {
  test('PATCH of a response: 2 round trips, the response, its revision, what the study stores and they wrote, one index', async () => {
    const { answer, ...cost } = await measure(study.responder, 'PATCH', `/response/${pick(own, 5)}`, {
      items: { q2: 'x' },
    });
    expect(answer.status).toBe(200);
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 3 + writtenRows + changeRows });
    expect(cost.rowsRead).toBeLessThanOrEqual(24);
  });

  test('PATCH of a case: 2 round trips, the case and one index', async () => {
    const cost = await measure(study.owner, 'PATCH', `/case/${pick(cases, 5)}`, { label: 'Changed' });
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 2 + changeRows });
    expect(cost.rowsRead).toBeLessThanOrEqual(15);
  });

  test('a new case: 1 round trip, the row with its indexes, and the count of the study', async () => {
    const cost = await measure(study.owner, 'POST', `/investigation/${study.id}/case`, { label: 'New' });
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 5 + changeRows });
    expect(cost.rowsRead).toBeLessThanOrEqual(17);
  });

  test('a new response: 2 round trips, the row with its indexes, its revision, what the study stores and what they wrote; found again in 1', async () => {
    const body = { case: pick(cases, 9), items: { q1: 'x' }, identifier: 'abc'.padEnd(32, '0') };
    const cost = await measure(study.responder, 'POST', `/survey/${study.survey}/response`, body);
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 10 + changeRows });
    expect(cost.rowsRead).toBeLessThanOrEqual(28);
    const again = await measure(study.responder, 'POST', `/survey/${study.survey}/response`, body);
    expect(again).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  });

  test('a new response behind a thousand reminders reads few of them', async () => {
    const { responder, survey } = study;
    await seedPast(
      Array.from({ length: 1_000 }, (_, n) => {
        const on = new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);
        return { user: responder.id, survey, on, state: 'sent' as const };
      }),
    );
    const body = { case: pick(cases, 9), items: { q1: 'x' } };
    const cost = await measure(responder, 'POST', `/survey/${survey}/response`, body);
    expect(cost.roundTrips).toBe(2);
    expect(cost.rowsRead).toBeLessThanOrEqual(60);
  });
});

test('the counters count: what the front door reads is what they see', async () => {
  const night = await newCase(study, study.owner);
  const id = await newResponse(study, study.responder, night);
  const { answer } = await measure(study.owner, 'GET', `/response/${id}`);
  expect(answer.body).toEqual((await study.owner.get(`/response/${id}`)).body);
  expect(counts.roundTrips).toBeGreaterThan(0);
});
