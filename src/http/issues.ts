import type * as z from 'zod';
import type { Fault } from '../errors.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** The expected value in our words, unless the schema has a message of its own: no text of the library reaches a client. */
export function expectation(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `Missing: expected ${noun(issue.expected)}.` : expected(issue);
    case 'too_small':
      return `Too ${adjectives(issue.origin)[0]}: expected ${bound('at least', issue.minimum, issue)}.`;
    case 'too_big':
      return `Too ${adjectives(issue.origin)[1]}: expected ${bound('at most', issue.maximum, issue)}.`;
    case 'invalid_format':
      return `Expected ${formats[issue.format] ?? 'a text of the documented form'}.`;
    case 'not_multiple_of':
      return `Expected a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return unknownField(issue.keys[0] ?? '');
    case 'invalid_value':
      return `Expected ${issue.values.map(String).join(' or ')}.`;
    case 'invalid_key':
      return 'Expected a key of the documented form.';
    case 'invalid_element':
      return 'Expected an element of the documented form.';
    case 'invalid_union':
      return 'Expected one of the documented forms.';
    case 'custom':
      return 'Expected a value of the documented form.';
  }
}

const expected = (issue: { expected: string }) => `Expected ${noun(issue.expected)}.`;

const nouns: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};
const noun = (type: string) => nouns[type] ?? 'a value of the documented type';

const formats: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'an instant in ISO 8601, such as 2026-03-29T01:30:00.000Z',
  date: 'a date: YYYY-MM-DD',
  time: 'a time: HH:MM',
  base64: 'base64',
};

const adjectives = (origin: string): [string, string] =>
  origin === 'string' || origin === 'array' || origin === 'set' ? ['short', 'long'] : ['small', 'large'];

const units: Record<string, string> = { string: 'character', array: 'element', set: 'element' };

function bound(
  how: string,
  limit: number | bigint,
  { origin, exact, inclusive = true }: { origin: string; exact?: boolean; inclusive?: boolean },
) {
  const comparison = inclusive ? how : how === 'at least' ? 'more than' : 'less than';
  const unit = units[origin] ? ` ${units[origin]}${Number(limit) === 1 ? '' : 's'}` : '';
  return `${exact ? 'exactly' : comparison} ${limit}${unit}`;
}

/** The faults of an issue of the body, each with its JSON pointer. */
export function bodyFaults(issue: Issue): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: unknownField(key) }));
  return [{ pointer: pointerTo(issue.path), detail: detailOf(issue) }];
}

/** The faults of an issue of the query, each with its parameter. */
export const queryFaults = (issue: Issue): Fault[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ parameter: shown(key), detail: unknownParameter(key) }))
    : [{ parameter: String(issue.path[0] ?? ''), detail: detailOf(issue) }];

/** The issues of the key's own schema say what is wrong with it. */
const detailOf = (issue: Issue) =>
  issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;

export const unknownField = (key: string) =>
  `Unknown field '${shown(key)}': expected only the documented ones.`;

const unknownParameter = (name: string) =>
  `Unknown parameter '${shown(name)}': expected only the documented ones.`;

const shown = (name: string) => name.slice(0, 80);

/** The JSON pointer to a path (RFC 6901). */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
