import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { pictures, picturesFolder } from '../console/support/guides.ts';

/*
 * The pages for people without programming cannot go stale: their words are those of the screens, and their pictures those
 * that test/console/guides.slow.test.ts takes on the way that they describe.
 */

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const guides = ['docs/coordinators.md', 'docs/data-managers.md', 'docs/sites-and-arms.md'];

/** The texts in bold. */
const boldIn = (path: string) =>
  [...read(path).matchAll(/\*\*([^*]+)\*\*/g)].map(([, bold = '']) => bold.replaceAll(/\s+/g, ' '));
const picturesIn = (path: string) =>
  [...read(path).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', file = '']) => ({ alt, file }));

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const consoleTexts = new Set<string>();
const participantTexts = new Set<string>();
beforeAll(async () => {
  for (const file of globSync('console/**/*strings.ts', { cwd: project }))
    for (const text of textsOf(await import(join(project, file)))) consoleTexts.add(text);
  for (const text of textsOf(await import('../../participant/strings/en.ts'))) participantTexts.add(text);
});

test.each([...guides, 'docs/participants.md'])('words in bold of %s are texts of the screens', (path) => {
  const bold = boldIn(path);
  expect(bold.length).toBeGreaterThan(25);
  const isSaid = (text: string) =>
    participantTexts.has(text) || (guides.includes(path) && consoleTexts.has(text));
  expect(bold.filter((text) => !isSaid(text))).toEqual([]);
});

test('the guides name each button and field that the way through the console uses', () => {
  const walk = read('test/console/support/guides.ts');
  const used = [
    ...walk.matchAll(/(?:press\(page, |choose\(page, |saved\(page, |getByLabel\(|name: )'([^']+)'/g),
  ]
    .map(([, name = '']) => name)
    .filter((name) => consoleTexts.has(name));
  expect(new Set(used).size).toBeGreaterThan(20);
  const named = new Set(guides.flatMap(boldIn));
  expect([...new Set(used)].filter((name) => !named.has(name))).toEqual([]);
});

test('pictures of the guides are taken on their way, described, small, and no others', () => {
  const named = guides.flatMap(picturesIn);
  expect(named.map(({ file }) => file).sort()).toEqual(
    pictures.map((name) => `pictures/${name}.webp`).sort(),
  );
  const walk = read('test/console/support/guides.ts');
  for (const name of pictures) expect(walk).toContain(`take('${name}')`);
  const [readme] = picturesIn('README.md');
  expect([...named, readme].filter((one) => (one?.alt.length ?? 0) < 20)).toEqual([]);
  const files = globSync('*', { cwd: join(project, picturesFolder) });
  expect(files.sort()).toEqual(['console', ...pictures].map((name) => `${name}.webp`).sort());
  const bytes = (file: string) => statSync(join(project, picturesFolder, file)).size;
  expect(files.filter((file) => bytes(file) > (file === 'console.webp' ? 150_000 : 60_000))).toEqual([]);
});
