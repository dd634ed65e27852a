import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * A sentence names its subject. One that begins with a relative clause ("What is settled stays", "Who joins late gets ...")
 * makes readers stop. Questions and headings such as "Where to make a change" are none.
 */

const project = join(import.meta.dirname, '../..');
const begins =
  /(?:^|[.!?:;] |\| |\*\*)((?:What|Whom?|Whose|Which|Where?)(?:ever)?(?![\w-])(?! to )[^.?!|]*)([.?!|]|$)/g;

const relativeClauses = (text: string): string[] =>
  [...text.replaceAll(/\s+/g, ' ').trim().matchAll(begins)]
    .filter(([, sentence = '', end]) => end !== '?' && sentence.includes(' '))
    .map(([, sentence = '']) => sentence.trim());

/** Comments of code, and parts of documents. */
function textsOf(path: string): string[] {
  const source = readFileSync(join(project, path), 'utf8');
  if (path.endsWith('.md'))
    return source
      .replaceAll(/```[\s\S]*?```/g, '')
      .split(/\n(?:\s*\n|(?=\s*(?:[-#|]|\d+\.) ))/)
      .map((part) => part.replace(/^\s*(?:[-#|]+|\d+\.)\s+/, ''));
  const comments = source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/g) ?? [];
  return comments.map((text) => text.replaceAll(/^\s*(?:\/?\*+\/?|\/\/)?\s?|\*\/\s*$/gm, ''));
}

test('no sentence of a comment or a document begins with a relative clause', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.md'], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(project, path)) && !path.includes('/voice.node'));
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((path) =>
    textsOf(path).flatMap((text) => relativeClauses(text).map((sentence) => `${path}: ${sentence}`)),
  );
  expect(found).toEqual([]);
});

test.each([
  ['Times stay. Who joins late gets the remaining dates.', ['Who joins late gets the remaining dates']],
  ['Who is it for?', []],
  ['Where to make a change', []],
])('%s', (text, sentences) => {
  expect(relativeClauses(text)).toEqual(sentences);
});
