import type { Survey } from '../../api.ts';
import { type AnswerDraft, draftOfAnswer } from './answer-draft.ts';

/** An item of a survey in its form. */
export interface Item {
  key: number;
  identifier: string;
  label: string;
  answer: AnswerDraft;
}

let keys = 0;
export const itemsOf = ({ items }: Survey): Item[] =>
  items.map((item) => ({ key: keys++, ...item, answer: draftOfAnswer(item.answer) }));
export const newItem = (n: number): Item => ({
  key: keys++,
  identifier: `item${n}`,
  label: '',
  answer: draftOfAnswer(undefined),
});

/** The first free identifier: none is used twice. */
export function nextNumber(items: readonly Item[]): number {
  const taken = new Set(items.map(({ identifier }) => identifier));
  let n = items.length + 1;
  while (taken.has(`item${n}`)) n++;
  return n;
}
