import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * A sentence names its subject. One that begins with a relative clause ("What is settled stays", "Who joins late gets ...")
 * makes readers stop. Questions and headings such as "Where to make a change" are none.
 */

const project = join(import.meta.dirname, '../..');
const opening =
  '(?:What|Who|Whom|Whose|Which|Where|Whatever|Whoever|Whomever|Whosever|Whichever|Wherever)(?![\\w-])';
/** At the beginning of a text, of a sentence in it, or of a cell, an entry or a heading of Markdown. */
const begins = new RegExp(`(?:^|[.!?:;] |\\| |\\*\\*)(${opening}(?! to )[^.?!|]*)([.?!|]|$)`, 'g');

const relativeClauses = (text: string): string[] =>
  [...text.replaceAll(/\s+/g, ' ').trim().matchAll(begins)]
    .filter(([, sentence = '', end]) => end !== '?' && sentence.includes(' '))
    .map(([, sentence = '']) => sentence.trim());

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/g;
const commentOfSettings = /^\s*(?:#|--) .*(?:\n\s*(?:#|--) .*)*/gm;
const literal = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
/** A title of a test goes on in lower case. */
const title = new RegExp(`\\b(?:test|it|describe)\\b.*\\(\\s*['"\`]${opening.toLowerCase()}\\b[^'"\`]*`, 'g');

const marks = /^\s*(?:\/?\*+\/?|\/\/|#|--)?\s?|\*\/\s*$/gm;
const prose = (text: string) => text.replaceAll(marks, '');

function textsOf(path: string): string[] {
  const source = readFileSync(join(project, path), 'utf8');
  if (path.endsWith('.md'))
    return source
      .replaceAll(/```[\s\S]*?```/g, '')
      .split(/\n(?:\s*\n|(?=\s*(?:[-#|]|\d+\.) ))/)
      .map((part) => part.replace(/^\s*(?:[-#|]+|\d+\.)\s+/, ''));
  if (!/\.(?:tsx?|mjs|css)$/.test(path)) return (source.match(commentOfSettings) ?? []).map(prose);
  const code = source.replaceAll(comment, '');
  const literals = [...code.matchAll(literal)].map(([, one, two, three]) => one ?? two ?? three ?? '');
  return [...(source.match(comment) ?? []).map(prose), ...literals];
}

const listed = execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' }).split('\n');
const files = listed.filter(
  (path) =>
    /\.(?:tsx?|mjs|css|sql|toml|service|md)$/.test(path) &&
    path !== 'src/schedule/tzdata.ts' &&
    path !== 'test/house/voice.node.test.ts' &&
    existsSync(join(project, path)),
);

test('no sentence of a comment, a text or a document begins with a relative clause', () => {
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((path) =>
    textsOf(path)
      .flatMap(relativeClauses)
      .map((sentence) => `${path}: ${sentence}`),
  );
  expect(found).toEqual([]);
});

test('no title of a test does', () => {
  const tests = files.filter((path) => path.endsWith('.test.ts'));
  const found = tests.flatMap((path) =>
    (readFileSync(join(project, path), 'utf8').match(title) ?? []).map((text) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['What is settled stays.', 'What is settled stays'],
  ['Times stay. Who joins late gets the remaining dates.', 'Who joins late gets the remaining dates'],
  ['Whom nothing reached', 'Whom nothing reached'],
  ['| `x` | Whoever asks |', 'Whoever asks'],
])('%s is noticed', (text, sentence) => {
  expect(relativeClauses(text)).toEqual([sentence]);
});

test('a planted comment of several lines is noticed', () => {
  const [text = ''] =
    '  /**\n   * Past reminders. What\n   * comes next is in order.\n   */'.match(comment) ?? [];
  expect(relativeClauses(prose(text))).toEqual(['What comes next is in order']);
  expect("test('what is due is sent', () => {".match(title)).not.toBeNull();
});

test.each(['Who is it for?', 'What', 'Where to make a change', 'The log says who did what.'])(
  '%s is none',
  (text) => {
    expect(relativeClauses(text)).toEqual([]);
  },
);
