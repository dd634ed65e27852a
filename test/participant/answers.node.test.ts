import { expect, test } from 'vitest';
import {
  type AnswerKind,
  excessOf,
  type Fault,
  faultOf,
  formerAnswers,
  pointsOf,
  readingsOf,
  storedAnswer,
  storedAnswers,
  withChoice,
} from '../../participant/answers.ts';

const item = (answer?: AnswerKind) => ({ identifier: 'q', label: 'A question', ...(answer && { answer }) });

test.each<[AnswerKind | undefined, string, string]>([
  [{ kind: 'number' }, '1,5', '1.5'],
  [{ kind: 'number' }, ' 12 ', '12'],
  [{ kind: 'number' }, '0x10', '0x10'],
  // A text is what was typed, white space and all; white space alone is no answer.
  [{ kind: 'text' }, '  A walk.\n\n', '  A walk.\n\n'],
  [undefined, ' x', ' x'],
  [{ kind: 'text' }, ' \n', ''],
  [{ kind: 'number' }, '  ', ''],
])('as an answer of %j, %j is stored as %j', (answer, typed, stored) => {
  expect(storedAnswer(answer, typed)).toBe(stored);
});

test.each(['10,000', '10.000', ' 1.500 ', '1٬234'])('%j has two readings, and is asked about', (typed) => {
  expect(faultOf(item({ kind: 'number' }), typed)).toBe('ambiguous');
});

test('a number with two readings is stored as the chosen one', () => {
  const number = { kind: 'number', max: 100 } as const;
  expect(faultOf(item(number), '10,000')).toBe('ambiguous');
  expect([storedAnswer(number, '10,000', '10.000'), faultOf(item(number), '10,000', '10.000')]).toEqual([
    '10.000',
    undefined,
  ]);
  expect(faultOf(item(number), '10,000', '10000')).toBe('high');
  // The choice was about another text.
  expect(faultOf(item(number), '20,000', '10.000')).toBe('ambiguous');
  expect(readingsOf(item(number), '10,000')).toMatchObject({ whole: '10000', decimal: '10.000' });
});

const options = [
  { value: 'well', label: 'Well' },
  { value: 'badly', label: 'Badly' },
];

test.each<[AnswerKind | undefined, string, Fault | undefined]>([
  [{ kind: 'number', min: 0, max: 10 }, '11', 'high'],
  [{ kind: 'number', min: 0, max: 10 }, '10.0000000000000000001', 'high'],
  [{ kind: 'number', min: 0, max: 10 }, '-1', 'low'],
  [{ kind: 'number' }, 'many', 'number'],
  [{ kind: 'number' }, '0x10', 'number'],
  [{ kind: 'number' }, '1e999', 'number'],
  [{ kind: 'number', required: true }, ' ', 'missing'],
  [{ kind: 'text', required: true }, '', 'missing'],
  [{ kind: 'text' }, 'x'.repeat(64_001), 'long'],
  // As the service counts, a smiley is one character.
  [{ kind: 'text' }, '😴'.repeat(64_000), undefined],
  [{ kind: 'text' }, `${'😴'.repeat(64_000)}x`, 'long'],
  [{ kind: 'text' }, 'cut \ud83d', 'characters'],
  [undefined, 'a\0b', 'characters'],
  [{ kind: 'date' }, '20277-03-01', 'date'],
  [{ kind: 'date' }, '12027-03-01', 'date'],
  // Typed as 27.
  [{ kind: 'date' }, '0027-03-01', 'date'],
  [{ kind: 'date' }, '2027-02-29', 'date'],
  [{ kind: 'date' }, '1.3.2027', 'date'],
  [{ kind: 'date' }, '2028-02-29', undefined],
  [{ kind: 'time' }, '24:00', 'time'],
  [{ kind: 'time' }, '06:30:15', 'time'],
  [{ kind: 'time' }, '06:30', undefined],
  // Of a draft from before the survey was changed.
  [{ kind: 'choice', options }, 'fine', 'option'],
  [{ kind: 'choices', options }, 'well fine', 'option'],
  [{ kind: 'choices', options }, 'well badly', undefined],
  [{ kind: 'scale', min: 1, max: 5 }, '7', 'option'],
  [{ kind: 'scale', min: 1, max: 5 }, '5', undefined],
  [{ kind: 'yes-no' }, 'maybe', 'option'],
  [{ kind: 'number', min: 0, max: 10 }, '10', undefined],
  [undefined, '', undefined],
])('%j with %j: %s', (answer, typed, fault) => {
  expect(faultOf(item(answer), typed)).toBe(fault);
});

test('answers that were left out are not sent, and those to former questions are told', () => {
  const items = ['a', 'b', 'c'].map((identifier) => ({ identifier, label: identifier }));
  const typed = { a: 'x', b: '  ', z: 'before' };
  expect(storedAnswers(items, { items: typed, chosen: {} })).toEqual({ a: 'x' });
  expect(formerAnswers(items, typed)).toEqual([['z', 'before']]);
});

test('a text says by how many characters it is too long', () => {
  expect([excessOf('x'.repeat(64_000)), excessOf('x'.repeat(70_000)), excessOf('😴'.repeat(40_000))]).toEqual(
    [0, 6000, 0],
  );
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
