import { expect, test } from 'vitest';
import {
  type AnswerKind,
  faultOf,
  pointsOf,
  storedAnswer,
  storedAnswers,
  withChoice,
} from '../../src/participant/answers.ts';

const item = (answer?: AnswerKind) => ({ identifier: 'q', label: 'A question', ...(answer && { answer }) });

test.each([
  ['1,5', '1.5'],
  [' 007 ', '7'],
  ['+2.50', '2.5'],
  ['-.5', '-0.5'],
  ['0x10', '0x10'],
  ['1,000,000', '1,000,000'],
  ['', ''],
])('the number %j is stored as %j', (typed, stored) => {
  expect(storedAnswer({ kind: 'number' }, typed)).toBe(stored);
});

test.each<[AnswerKind | undefined, string, string | undefined]>([
  [{ kind: 'number', min: 0, max: 10 }, '11', 'high'],
  [{ kind: 'number', min: 0, max: 10 }, '-1', 'low'],
  [{ kind: 'number' }, 'many', 'number'],
  [{ kind: 'number', required: true }, ' ', 'missing'],
  [{ kind: 'text', required: true }, '', 'missing'],
  [{ kind: 'text' }, 'x'.repeat(64_001), 'long'],
  [{ kind: 'number', min: 0, max: 10 }, '10', undefined],
  [undefined, '', undefined],
])('%j with %j: %s', (answer, typed, fault) => {
  expect(faultOf(item(answer), typed)).toBe(fault);
});

test('answers that were left out are not sent', () => {
  const items = ['a', 'b', 'c'].map((identifier) => ({ identifier, label: identifier }));
  expect(storedAnswers(items, { a: 'x', b: '  ' })).toEqual({ a: 'x' });
});

test('choices keep the order of the options, however they were chosen', () => {
  const options = ['a', 'b', 'c'].map((value) => ({ value, label: value }));
  expect(withChoice(options, 'c', 'a')).toBe('a c');
  expect(withChoice(options, 'a c', 'c')).toBe('a');
  expect(withChoice(options, 'a', 'a')).toBe('');
});

test('a scale has points as long as they fit beside each other', () => {
  expect(pointsOf({ min: -2, max: 2 })).toEqual([-2, -1, 0, 1, 2]);
  expect(pointsOf({ min: 0, max: 10 })).toHaveLength(11);
  expect(pointsOf({ min: 0, max: 100 })).toEqual([]);
});
