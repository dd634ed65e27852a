import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/**
 * Of the compressed Worker, as wrangler counts: 269 before answers that are set aside, information before joining and the words of
 * push services, which are 14; 287 before dates of a person's own, which are 7; 294 before what analysis and programs need,
 * which is 12; 306 before sites and arms, which are 26 of visibility, of surveys for some people, and of groups that are frozen.
 */
const maxKib = 334;

const read = (name: string) => readFile(join(process.env.WORKER_BUNDLE ?? '', name));

test(`the Worker has at most ${maxKib} KiB, compressed`, async () => {
  expect(gzipSync(await read('worker.js')).length / 1024).toBeLessThanOrEqual(maxKib);
});

test('it has neither the calendar of cron-parser, nor the languages of zod, nor the relations of drizzle, nor what makes the API document', async () => {
  const { sources } = JSON.parse(String(await read('worker.js.map'))) as { sources: string[] };
  const packages = sources.filter((source) => source.includes('/node_modules/'));
  expect(packages.filter((source) => source.includes('/cron-parser/'))).not.toEqual([]);
  expect(
    packages.filter((source) =>
      /\/luxon\/|\/hono-openapi\/|\/@standard-community\/|json-schema-processors|drizzle-orm\/relations/.test(
        source,
      ),
    ),
  ).toEqual([]);
  const languages = packages.flatMap((source) => /\/zod\/v4\/locales\/(.*)/.exec(source)?.[1] ?? []);
  expect(languages).toEqual(['en.js']);
});
