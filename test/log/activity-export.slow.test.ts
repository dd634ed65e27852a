import { expect, test } from 'vitest';
import { countedApp } from '../support/worker/counters.ts';
import { seedEntries } from '../support/worker/logs.ts';
import { sleepStudy } from '../support/worker/world.ts';

test('100,000 entries are exported in pages of a thousand at most, and all of them arrive in order', async () => {
  const study = await sleepStudy();
  const entries = 100_000;
  await seedEntries(study, entries - 3);
  const { counts, request } = countedApp();
  const before = { ...counts };
  const answer = await request(study.owner, 'GET', `/investigation/${study.id}/activity`, undefined, {
    accept: 'application/x-ndjson',
  });
  const decoder = new TextDecoder();
  let [rest, position, largest] = ['', 0, 0];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    largest = Math.max(largest, chunk.length);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) expect(JSON.parse(line).position).toBe(++position);
  }
  // The last one is the export itself.
  expect([rest, position]).toEqual(['', entries + 1]);
  expect(largest).toBeLessThan(1_000_000);
  expect(counts.roundTrips - before.roundTrips).toBeLessThanOrEqual(entries / 1000 + 7);
});
