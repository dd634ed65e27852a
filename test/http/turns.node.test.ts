import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { shareThread } from '../../src/breathe.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import { type Person, requestOf } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { studyWith } from './support/many-items.ts';

let service: LocalService;
let study: Study & { item: string };
let elsewhere: Study;

/** More than a page. */
const items = 3_000;
/** Long answers at once: exports, lists and CSVs, as many of each. */
const atOnce = 18;

/** Turns of long work so far, and statements that were read. */
let turns = 0;
let statements = 0;

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeAll(async () => {
  service = await localService();
  study = await studyWith(service, { cases: items, responses: items, of: 'many' });
  elsewhere = await newStudy(service.world, { of: 'few' });
  const { client } = service;
  const { execute, batch } = client;
  client.execute = (...given) => {
    statements++;
    return execute.apply(client, given);
  };
  client.batch = (...given) => {
    statements++;
    return batch.apply(client, given);
  };
});
afterAll(() => service.dispose());

beforeEach(() => {
  turns = 0;
  shareThread((turn) => {
    turns++;
    setImmediate(turn);
  });
});
afterEach(() => void vi.restoreAllMocks());

/** Reads an answer as it comes; `read` has the bytes so far. */
function start(person: Person, path: string, headers: Record<string, string> = {}) {
  const reading = { bytes: 0, ended: false, done: Promise.resolve(0) };
  const read = async () => {
    const answer = await service.app.request(path, requestOf({ token: person.token, headers }));
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>)
      reading.bytes += piece.length;
    reading.ended = true;
    return answer.status;
  };
  reading.done = read();
  return reading;
}

const list = `responses`;
const csv = { accept: 'text/csv' };
const longAnswers = () =>
  Array.from({ length: atOnce }, (_, n) =>
    n % 3 === 0
      ? start(study.owner, '/user/me/export')
      : start(study.owner, `/investigation/${study.id}/${list}`, n % 3 === 1 ? csv : {}),
  );

test('of many exports, lists and CSVs under way one reads a page before anything else has a turn', async () => {
  const all = longAnswers();
  while (all.some(({ bytes }) => bytes === 0)) await tick();
  let most = 0;
  while (!all.every(({ ended }) => ended)) {
    const before = statements;
    await tick();
    most = Math.max(most, statements - before);
  }
  expect(await Promise.all(all.map(({ done }) => done))).toEqual(Array(atOnce).fill(200));
  expect(most).toBe(1);
});

test("another person's list does not wait for their turns", async () => {
  const all = longAnswers();
  while (all.some(({ bytes }) => bytes === 0)) await tick();
  const before = turns;
  const other = start(elsewhere.owner, `/investigation/${elsewhere.id}/surveys`);
  expect(await other.done).toBe(200);
  expect(turns - before).toBeLessThanOrEqual(8);
  expect(all.filter(({ ended }) => !ended).length).toBeGreaterThan(atOnce - 3);
  await Promise.all(all.map(({ done }) => done));
});

test('a lock of everything goes on beside them: it waits for one turn of each at most', async () => {
  const all = longAnswers();
  while (all.some(({ bytes }) => bytes === 0)) await tick();
  const locked = await elsewhere.owner.post(`/investigation/${elsewhere.id}/lock-matching`, {
    status: 'locked',
    filter: {},
  });
  expect(locked.status).toBe(200);
  expect(all.filter(({ ended }) => !ended).length).toBeGreaterThan(atOnce - 3);
  await Promise.all(all.map(({ done }) => done));
});

test.each([
  ['an export', () => start(study.owner, '/user/me/export')],
  ['a list', () => start(study.owner, `/investigation/${study.id}/responses`)],
  ['a CSV', () => start(study.owner, `/investigation/${study.id}/responses`, csv)],
] as const)('%s has a turn for each few milliseconds, however few rows that are', async (_, begin) => {
  await begin().done;
  const plain = turns;
  turns = 0;
  // On a machine on which each look at the clock takes a millisecond.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  await begin().done;
  expect(plain).toBeLessThan(200);
  expect(turns).toBeGreaterThan(items / 6);
});
