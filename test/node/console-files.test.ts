import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';

test('no two files of different folders of the console have the same name', () => {
  const folders = Map.groupBy(globSync('src/console/**/*.*'), (file) => basename(file).replace(/\..+$/, ''));
  const shared = [...folders].filter(([, files]) => new Set(files.map(dirname)).size > 1);
  expect(folders.size).toBeGreaterThan(100);
  expect(shared).toEqual([]);
});

test('what features share knows no feature', () => {
  const shared = globSync('src/console/components/**/*.*');
  const imported = shared.filter((file) => /from '[^']*features\//.test(readFileSync(file, 'utf8')));
  expect(imported).toEqual([]);
});
