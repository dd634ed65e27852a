import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataModel, dataModelFile } from '../../tools/data-model.ts';

test('docs/data-model.md is the schema as it is: `npm run data-model` makes it', async () => {
  expect(readFileSync(dataModelFile, 'utf8')).toBe(await dataModel());
});

test('each table of the schema has a sentence', async () => {
  expect((await dataModel()).match(/^- `\w+`: $/gm)).toBeNull();
});
