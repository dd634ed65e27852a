import { strings } from './common-strings.ts';
import type { Question } from './names.ts';

/** An answer as the person saw it: labels of options in place of their values. Other text stays. */
export function labelOf(question: Question | undefined, value: string): string {
  const answer = question?.answer;
  if (!answer || value === '') return value;
  if (answer.kind === 'yes-no') return value === 'yes' ? strings.yes : value === 'no' ? strings.no : value;
  const options = 'options' in answer ? (answer.options ?? []) : [];
  const nameOf = (choice: string) => options.find((option) => option.value === choice)?.label || choice;
  return answer.kind === 'choices' ? value.split(' ').map(nameOf).join(', ') : nameOf(value);
}
