import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('modules that features share know no feature', () => {
  const shared = globSync('console/components/**/*.*');
  const imported = shared.filter((file) => /from '[^']*features\//.test(readFileSync(file, 'utf8')));
  expect(imported).toEqual([]);
});

test('no style asks what the whole page contains: each change of the page would style all of it again', () => {
  const styles = globSync('{console,participant}/**/*.css');
  expect(styles.length).toBeGreaterThan(15);
  const asking = styles.filter((file) =>
    /(?:\b(?:html|body)|:root)\S*:has\(/.test(readFileSync(file, 'utf8')),
  );
  expect(asking).toEqual([]);
});
