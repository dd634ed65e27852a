import type { WordingChange } from './wording-changes.ts';

const textOf: {
  [K in WordingChange['kind']]: (change: Extract<WordingChange, { kind: K }>) => string;
} = {
  question: ({ from, to }) => `“${from}” will read “${to}”.`,
  option: ({ question, value, from, to }) =>
    `${question}: the answer “${from}” (${value}) will read “${to}”.`,
  'option-gone': ({ question, from }) => `${question}: the answer “${from}” is no longer an option.`,
  'answer-kind': ({ question }) => `${question}: another kind of answer.`,
  gone: ({ question }) => `“${question}” is no longer asked.`,
};

export const strings = {
  title: 'This survey has answers',
  about:
    'Answers that were given already stay as they are, and keep their wording of then on the page of each response. In files and in other programs they have values without labels. These changes concern them:',
  locked: 'Some of the answers are locked.',
  advice: 'To ask something else, give the item another identifier, or the option another value.',
  submit: 'Save the changes',
  change: (change: WordingChange) => (textOf[change.kind] as (change: WordingChange) => string)(change),
} as const;
