import { expect, test } from 'vitest';
import {
  type AnswerCounts,
  concerning,
  type WordingChange,
  wordingChanges,
} from '../../console/features/surveys/wording-changes.ts';
import { strings } from '../../console/features/surveys/wording-strings.ts';
import type { Question } from '../../console/names.ts';

const item = (kind: 'choice' | 'choices', options: Record<string, string>, label = 'Sleep'): Question => ({
  identifier: 'q1',
  label,
  answer: { kind, options: Object.entries(options).map(([value, label]) => ({ value, label })) },
});
const counts = (values: Record<string, number>, more: Partial<AnswerCounts> = {}): AnswerCounts => ({
  responses: 20,
  items: { q1: values },
  complete: true,
  ...more,
});

/** The sentences of the question before these changes. */
function said(before: Question, after: Question[], given: AnswerCounts) {
  const changes: WordingChange[] = wordingChanges([before], after);
  return concerning(changes, [before], given).map((change) => strings.change(change, given.complete));
}

test('a change of a label counts the answers that have its value', () => {
  const before = item('choice', { well: 'Well', badly: 'Badly' });
  const after = [item('choice', { well: 'Good', badly: 'Bad' })];
  expect(said(before, after, counts({ well: 12 }))).toEqual(['Sleep: “Well” becomes “Good”: 12 answers.']);
  expect(said(before, after, counts({ well: 12 }, { complete: false }))).toEqual([
    'Sleep: “Well” becomes “Good”: at least 12 answers.',
    'Sleep: “Badly” becomes “Bad”: at least 0 answers.',
  ]);
});

test('nothing is said of a survey without answers', () => {
  const before = item('choice', { well: 'Well' });
  expect(said(before, [], counts({}, { responses: 0 }))).toEqual([]);
});

test('answers with several choices are not added up', () => {
  const before = item('choices', { well: 'Well', long: 'Long' });
  const after = [item('choices', { well: 'Well' }, 'Night')];
  expect(said(before, after, counts({ well: 3, long: 1 }))).toEqual([
    '“Sleep” becomes “Night”.',
    'Sleep: “Long” is no longer an option: the former label stays with 1 answer.',
  ]);
});

test('an item that nobody counts is named without a number', () => {
  const before = { identifier: 'q2', label: 'Anything else?' };
  expect(said(before, [], counts({ well: 3 }))).toEqual(['“Anything else?” is no longer asked.']);
});
