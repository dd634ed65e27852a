import type { AnswerOf, api } from '../../api.ts';
import type { Question } from '../../names.ts';

/** A change that gives answers to a survey another meaning, or takes it. */
export type WordingChange =
  | { kind: 'question'; item: string; from: string; to: string }
  | { kind: 'option'; item: string; question: string; value: string; from: string; to: string }
  | { kind: 'option-gone'; item: string; question: string; value: string; from: string }
  | { kind: 'answer-kind'; item: string; question: string }
  | { kind: 'gone'; item: string; question: string };

/** The changes of questions and options that people may have answered. Those that are new, or elsewhere, change nothing. */
export const wordingChanges = (before: readonly Question[], after: readonly Question[]): WordingChange[] =>
  before.flatMap((old): WordingChange[] => {
    const item = old.identifier;
    const question = old.label || item;
    const next = after.find(({ identifier }) => identifier === item);
    if (!next) return [{ kind: 'gone', item, question }];
    const label = next.label || item;
    return [
      ...(label === question ? [] : [{ kind: 'question', item, from: question, to: label } as const]),
      ...(kindOf(next) === kindOf(old) ? [] : [{ kind: 'answer-kind', item, question } as const]),
      ...optionChanges(old, next, question),
    ];
  });

function optionChanges(old: Question, next: Question, question: string): WordingChange[] {
  const item = old.identifier;
  const options = optionsOf(next);
  return optionsOf(old).flatMap(({ value, label }): WordingChange[] => {
    const from = label || value;
    const successor = options.find((option) => option.value === value);
    // Options of a scale name some of its values, which stay.
    if (!successor)
      return kindOf(next) === 'text' ? [] : [{ kind: 'option-gone', item, question, value, from }];
    const to = successor.label || value;
    return to === from ? [] : [{ kind: 'option', item, question, value, from, to }];
  });
}

const kindOf = ({ answer }: Question) => answer?.kind ?? 'text';
const optionsOf = ({ answer }: Question) => (answer && 'options' in answer ? (answer.options ?? []) : []);

/** The answers to a survey: how many have each value, for items whose values are counted. */
export type AnswerCounts = Omit<AnswerOf<(typeof api.survey)[':id']['answer-counts']['$get']>, 'survey'>;

/** A change, and the number of answers that it concerns; undefined if nobody knows. */
export type CountedChange = WordingChange & { answers?: number | undefined };

/** The changes that concern answers. */
export const concerning = (
  changes: readonly WordingChange[],
  before: readonly Question[],
  counts: AnswerCounts,
): CountedChange[] =>
  changes
    .map((change) => ({ ...change, answers: answersOf(change, before, counts) }))
    .filter(({ answers }) => counts.responses > 0 && (answers !== 0 || !counts.complete));

function answersOf(change: WordingChange, before: readonly Question[], { items }: AnswerCounts) {
  const values = items[change.item];
  if ('value' in change) return values?.[change.value] ?? 0;
  const question = before.find(({ identifier }) => identifier === change.item);
  // An answer with several choices has several values.
  if (!values || !question || kindOf(question) === 'choices') return undefined;
  return Object.values(values).reduce((sum, n) => sum + n, 0);
}
