import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';

test('no two files of different folders of the console have the same name', () => {
  const folders = Map.groupBy(globSync('console/**/*.*'), (file) => basename(file).replace(/\..+$/, ''));
  const shared = [...folders].filter(([, files]) => new Set(files.map(dirname)).size > 1);
  expect(folders.size).toBeGreaterThan(100);
  expect(shared).toEqual([]);
});

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

/** The words that may become classes of an element: all of its strings, as dynamic ones are put together from them. */
const classesIn = (source: string) =>
  new Set(
    [...source.matchAll(/class=(?:"([^"]*)"|\{([^}]*))/g)].flatMap(
      ([, a, b]) => (a ?? b)?.match(/[\w-]+/g) ?? [],
    ),
  );

test('each style of a feature names a class or an id that nothing outside of the feature has', () => {
  const sources = globSync('console/**/*.tsx').map((file) => ({
    folder: dirname(file),
    classes: classesIn(readFileSync(file, 'utf8')),
  }));
  const styles = globSync('console/features/*/*.css');
  expect(styles.length).toBeGreaterThan(5);
  const foreign = styles.flatMap((file) => {
    const isOwn = (name: string) =>
      name.startsWith('#') ||
      !sources.some(({ folder, classes }) => folder !== dirname(file) && classes.has(name.slice(1)));
    return selectorsIn(readFileSync(file, 'utf8'))
      .filter((selector) => !selector.match(/[.#][a-zA-Z][\w-]*/g)?.some(isOwn))
      .map((selector) => `${file}: ${selector}`);
  });
  expect(foreign).toEqual([]);
});

/** Each of those that a comma separates. */
const selectorsIn = (css: string) =>
  [...css.replaceAll(/\/\*.*?\*\/|@(?:media|import|page)[^{;]*[{;]/gs, '').matchAll(/([^{}]+)\{/g)].flatMap(
    ([, selectors = '']) =>
      selectors
        .trim()
        .replaceAll(/\([^()]*\)/g, (list) => list.replaceAll(',', ' '))
        .split(',')
        .map((selector) => selector.trim()),
  );
