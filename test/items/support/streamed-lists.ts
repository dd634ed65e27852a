import { beforeAll, expect, test } from 'vitest';
import type { Study } from '../../support/studies.ts';
import { countedApp } from '../../support/worker/counters.ts';
import { seedResponses } from '../../support/worker/seeds.ts';
import { sleepStudy } from '../../support/worker/world.ts';

/** A study with this many responses, in at most this many chunks. */
export const testStreaming = (count: number, mostChunks: number) => {
  let study: Study;
  beforeAll(async () => {
    study = await sleepStudy();
    await seedResponses(study, count);
  });

  test(`${count} responses, a page at a time, each read only when the reader asks for it`, async () => {
    const { request, counts } = countedApp();
    await request(study.owner, 'GET', '/user/me');
    const before = counts.roundTrips;
    const response = await request(study.owner, 'GET', `/investigation/${study.id}/responses`);
    expect(response.headers.get('content-length')).toBeNull();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();

    // A read and a write of the log, and a count for each 20,000 rows.
    const logging = 2 + Math.floor(count / 20_000) + 1;
    let chunks = 0;
    let largest = 0;
    let rows = 0;
    let text = '';
    for (;;) {
      // Nothing is read ahead of the reader but the page that decides the status; the download is counted and logged.
      await new Promise((resolve) => setTimeout(resolve, chunks < 3 ? 30 : 0));
      expect(counts.roundTrips - before).toBe(Math.max(1, chunks) + logging);
      const { done, value } = await reader.read();
      if (done) break;
      chunks += 1;
      largest = Math.max(largest, value.length);
      const chunk = decoder.decode(value, { stream: true });
      if (chunks === 1)
        expect(chunk.startsWith(`{"investigation":"investigation/${study.id}","responses":[{`)).toBe(true);
      rows += chunk.split('"b64Identifier"').length - 1;
      text = chunk.slice(-200);
    }
    expect(rows).toBe(count);
    // The first hundred, and then as many as make a page.
    expect(chunks).toBeLessThanOrEqual(mostChunks);
    expect(text.endsWith('}]}')).toBe(true);
    // One page is in memory at once.
    expect(largest).toBeLessThan(1100 * 1000);
  });

  test('a reader who leaves ends the reading', async () => {
    const { request, counts } = countedApp();
    await request(study.owner, 'GET', '/user/me');
    const response = await request(study.owner, 'GET', `/investigation/${study.id}/responses`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.read();
    const before = counts.roundTrips;
    await reader.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(counts.roundTrips).toBe(before);
  });

  test('by the front door it is whole JSON, in order, without doubles', async () => {
    const { body } = await study.owner.get(`/investigation/${study.id}/responses`);
    const ids = body.responses.map(({ identifier }: { identifier: string }) => identifier);
    expect(ids).toHaveLength(count);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test('as CSV too', async () => {
    const { text, headers } = await study.owner.get(`/investigation/${study.id}/responses`, {
      accept: 'text/csv',
    });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(count + 2);
    expect(new Set(lines.slice(1, -1).map((line) => line.split(',').length))).toEqual(
      new Set([lines[0]?.split(',').length]),
    );
  });
};
