import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pictures, picturesFolder } from '../console/support/guides.ts';

/*
 * The guides of coordinators and data managers cannot go stale: their words are those of the console, and their pictures
 * those that test/console/guides.slow.test.ts takes on the way that they describe.
 */

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const guides = ['docs/coordinators.md', 'docs/data-managers.md'];
const maxBytes = 60_000;

/** The texts in bold. */
const boldIn = (text: string) =>
  [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, bold = '']) => bold.replaceAll(/\s+/g, ' '));
const picturesIn = (path: string) =>
  [...read(path).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', file = '']) => ({ alt, file }));

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Fixed texts of the console. */
const texts = new Set<string>();
beforeAll(async () => {
  for (const file of globSync('console/**/*strings.ts', { cwd: project }))
    for (const text of textsOf(await import(join(project, file)))) texts.add(text);
});

test.each(guides)('words in bold of %s are texts of the console', (path) => {
  const bold = boldIn(read(path));
  expect(bold.length).toBeGreaterThan(30);
  expect(bold.filter((text) => !texts.has(text))).toEqual([]);
});

test('a text that the console does not have is noticed', () => {
  const [text = ''] = boldIn('Press **Lock all of\n   it**.');
  expect(text).toBe('Lock all of it');
  expect(texts.has(text)).toBe(false);
  expect(texts.has('Lock with responses')).toBe(true);
});

test('the guides name each button and field that the way through the console uses', () => {
  const walk = read('test/console/support/guides.ts');
  const used = [
    ...walk.matchAll(/(?:press\(page, |choose\(page, |saved\(page, |getByLabel\(|name: )'([^']+)'/g),
  ]
    .map(([, name = '']) => name)
    .filter((name) => texts.has(name));
  expect(new Set(used).size).toBeGreaterThan(20);
  const named = new Set(guides.flatMap((path) => boldIn(read(path))));
  expect([...new Set(used)].filter((name) => !named.has(name))).toEqual([]);
});

describe('pictures', () => {
  test('of the guides are those that are taken on their way, each with a description', () => {
    const named = guides.flatMap(picturesIn);
    expect(named.map(({ file }) => file).sort()).toEqual(
      pictures.map((name) => `pictures/${name}.webp`).sort(),
    );
    expect(named.filter(({ alt }) => alt.length < 20)).toEqual([]);
  });

  test('are in the repository, small, and no others', () => {
    const files = globSync('*', { cwd: join(project, picturesFolder) });
    expect(files.sort()).toEqual(['console', ...pictures].map((name) => `${name}.webp`).sort());
    const large = files.filter(
      (file) => file !== 'console.webp' && statSync(join(project, picturesFolder, file)).size > maxBytes,
    );
    expect(large).toEqual([]);
  });

  test('of README.md is described, and small', () => {
    const [picture, ...more] = picturesIn('README.md');
    expect(more).toEqual([]);
    expect(picture?.alt.length).toBeGreaterThan(20);
    expect(statSync(join(project, picture?.file ?? '')).size).toBeLessThan(150_000);
  });

  test.each(pictures)('%s is taken on the way', (name) => {
    expect(read('test/console/support/guides.ts')).toContain(`take('${name}')`);
  });
});
