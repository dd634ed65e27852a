import type { Question } from '../../names.ts';

/** A change that gives answers to a survey another meaning, or takes it. */
export type WordingChange =
  | { kind: 'question'; from: string; to: string }
  | { kind: 'option'; question: string; value: string; from: string; to: string }
  | { kind: 'option-gone'; question: string; from: string }
  | { kind: 'answer-kind'; question: string }
  | { kind: 'gone'; question: string };

/** The changes of questions and options that people may have answered. Those that are new, or elsewhere, change nothing. */
export const wordingChanges = (before: readonly Question[], after: readonly Question[]): WordingChange[] =>
  before.flatMap((item): WordingChange[] => {
    const question = item.label || item.identifier;
    const next = after.find(({ identifier }) => identifier === item.identifier);
    if (!next) return [{ kind: 'gone', question }];
    const label = next.label || next.identifier;
    return [
      ...(label === question ? [] : [{ kind: 'question', from: question, to: label } as const]),
      ...(kindOf(next) === kindOf(item) ? [] : [{ kind: 'answer-kind', question } as const]),
      ...optionChanges(item, next, question),
    ];
  });

function optionChanges(item: Question, next: Question, question: string): WordingChange[] {
  const options = optionsOf(next);
  return optionsOf(item).flatMap(({ value, label }): WordingChange[] => {
    const from = label || value;
    const successor = options.find((option) => option.value === value);
    // Options of a scale name some of its values, which stay.
    if (!successor) return kindOf(next) === 'text' ? [] : [{ kind: 'option-gone', question, from }];
    const to = successor.label || value;
    return to === from ? [] : [{ kind: 'option', question, value, from, to }];
  });
}

const kindOf = ({ answer }: Question) => answer?.kind ?? 'text';
const optionsOf = ({ answer }: Question) => (answer && 'options' in answer ? (answer.options ?? []) : []);
