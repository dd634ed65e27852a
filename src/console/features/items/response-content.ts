import { labelOf } from '../../answer-labels.ts';
import type { Question } from '../../names.ts';
import { strings } from './item-strings.ts';

/** The identifier at the end of a reference. */
export const idOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** The items of the survey in their order, then those that were removed since and have an answer or a reason. */
export function questionsOf(
  items: readonly Question[],
  { items: answers, reasons }: { items: object; reasons: object },
): (Question & { isDropped?: boolean })[] {
  const known = new Set(items.map(({ identifier }) => identifier));
  const dropped = [...new Set([...Object.keys(answers), ...Object.keys(reasons)])]
    .filter((key) => !known.has(key))
    .map((key) => ({ identifier: key, label: key, isDropped: true }));
  return [...items.map((item) => ({ ...item, label: item.label || item.identifier })), ...dropped];
}

/** The answer to an item, as its person saw it; empty without one. */
export const answerIn = (items: readonly Question[], key: string, answers: Record<string, string>): string =>
  labelOf(
    items.find(({ identifier }) => identifier === key),
    answers[key] ?? '',
  );

const maxChange = 200;

/** An answer in a list of changes. */
export const shorten = (answer = ''): string =>
  answer === ''
    ? strings.response.noAnswer
    : answer.length > maxChange
      ? `${answer.slice(0, maxChange)}…`
      : answer;
