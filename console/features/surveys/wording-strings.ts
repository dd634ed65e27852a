import { count } from '../../format.ts';
import type { CountedChange } from './wording-changes.ts';

const textOf: {
  [K in CountedChange['kind']]: (change: Extract<CountedChange, { kind: K }>, answers: string) => string;
} = {
  question: ({ from, to }, answers) => `“${from}” becomes “${to}”${answers && `: ${answers}`}.`,
  option: ({ question, from, to }, answers) =>
    `${question}: “${from}” becomes “${to}”${answers && `: ${answers}`}.`,
  'option-gone': ({ question, from }, answers) =>
    `${question}: “${from}” is no longer an option${answers && `: the former label stays with ${answers}`}.`,
  'answer-kind': ({ question }, answers) =>
    `${question}: another kind of answer${answers && `. The former kind stays with ${answers}`}.`,
  gone: ({ question }, answers) =>
    `“${question}” is no longer asked${answers && `: the former wording stays with ${answers}`}.`,
};

export const strings = {
  title: 'This survey has answers',
  about:
    'Answers that were given already stay as they are, and keep their wording of then: on the page of each response, and in files with labels. These changes concern them:',
  locked: 'Some of the answers are locked.',
  advice: 'To ask something else, give the item another identifier, or the option another value.',
  submit: 'Save the changes',
  back: 'Go back',
  change: (change: CountedChange, isComplete: boolean) => {
    const { answers } = change;
    const counted = answers === undefined ? '' : count(answers, 'answer');
    return (textOf[change.kind] as (change: CountedChange, answers: string) => string)(
      change,
      counted === '' || isComplete ? counted : `at least ${counted}`,
    );
  },
} as const;
