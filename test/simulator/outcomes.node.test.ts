import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { differencesOf } from '../../simulator/outcome-differences.ts';
import { compareOutcome, readRecords, recordOutcome } from '../../simulator/outcome-records.ts';
import { readOutcome } from '../../simulator/outcomes.ts';
import { randomScenario } from '../../simulator/random.ts';
import { type Models, simulate } from '../../simulator/run.ts';
import { readScenario } from '../../simulator/scenario.ts';
import { diary, june } from './support.ts';

test("an outcome has everybody's pushes, history, answers and counts, by names", async () => {
  const events = [{ at: june(8, '12:30:00'), who: 'Chidi', does: 'answers', survey: 'Diary' }] as const;
  const outcome = await simulate(readScenario(diary({ events: [...events] })), readOutcome);
  expect(outcome.pushes).toEqual({
    'Chidi-android-pixel, Diary': [
      { at: expect.stringMatching(/^2027-06-08T12:00:0/), of: '2027-06-08', kind: 'first' },
      { at: expect.stringMatching(/^2027-06-09T12:00:0/), of: '2027-06-09', kind: 'first' },
    ],
  });
  expect(outcome.history.Chidi?.Diary?.['2027-06-08']).toMatchObject({
    state: 'sent',
    answeredAt: expect.stringMatching(/^2027-06-08T12:30:0/),
    deliveries: [{ phone: 'Chidi-android-pixel', result: 'accepted' }],
  });
  expect(outcome.answers['Chidi, Diary']).toMatchObject([{ of: '2027-06-08', deleted: false }]);
  expect(outcome.compliance).toMatchObject({ totals: { due: 4, sent: 2, answered: 1 } });
  expect(JSON.stringify(outcome)).not.toMatch(/[0-9a-f]{32}/);
});

test('a service that draws more often and asks its database for longer has the same outcome', async () => {
  const draw = () => {
    crypto.getRandomValues(new Uint8Array(16));
    return Math.random();
  };
  const busyMs = {
    batch: 0,
    statement: 0,
    get row() {
      return draw() && 0;
    },
  };
  const busy: Models = { database: { latencyMs: 7, busyMs } };
  for (const seed of [1, 2, 15]) {
    const scenario = readScenario({ ...randomScenario(seed), faults: [] });
    const outcome = await simulate(scenario, readOutcome);
    expect(differencesOf(outcome, await simulate(scenario, readOutcome, busy)), `seed ${seed}`).toEqual([]);
  }
});

describe('a record', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outcomes-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('tells what differs from it', async () => {
    const file = join(folder, 'before.jsonl');
    for (const full of [true, false]) await recordOutcome(file, { seed: 2, calm: false }, full);
    for (const record of await readRecords(file)) expect(await compareOutcome(record)).toEqual([]);

    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/"digest":"[0-9a-f]+"/g, '"digest":""'));
    const [full, digest] = await readRecords(file);
    if (!full?.outcome || !digest) throw new Error('there are two records');
    full.outcome.violations.push('a push was lost');
    expect(await compareOutcome(full)).toEqual([
      { what: 'violations > 0: "a push was lost", now nothing', onlyWhen: false },
    ]);
    expect(await compareOutcome(digest)).toEqual([{ what: 'the digest is another one', onlyWhen: false }]);
  });
});

test('a later moment is told apart from another thing', () => {
  const seen = { state: 'sent', sentAt: '2027-06-08T12:00:01.000Z', note: 'after 2027-06-08T12:00:01.000Z' };
  expect(
    differencesOf(seen, { ...seen, sentAt: '2027-06-08T12:00:09Z', note: 'after 2027-06-09T00:00:00Z' }),
  ).toEqual([]);
  expect(differencesOf(seen, { ...seen, sentAt: '2027-06-08T12:01:09Z' })).toMatchObject([
    { onlyWhen: true },
  ]);
  expect(differencesOf(seen, { ...seen, state: 'failed' })).toMatchObject([{ onlyWhen: false }]);
});
