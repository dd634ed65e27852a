import type { Survey } from './snapshot.ts';

/* Kinds of answers, as the service checks them: an answer is a text, and an empty one is none. */

export type Item = Survey['items'][number];
export type AnswerKind = NonNullable<Item['answer']>;
export type Option = Extract<AnswerKind, { kind: 'choice' }>['options'][number];

export type Fault = 'missing' | 'number' | 'low' | 'high' | 'long';

const mostCharacters = 64_000;

/** The text that the service stores for what somebody typed. */
export function storedAnswer(answer: AnswerKind | undefined, typed: string): string {
  const text = typed.trim();
  if (answer?.kind !== 'number' || text === '') return text;
  // Some countries write a comma. Number also reads hexadecimal digits.
  const digits = text.replace(',', '.');
  return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(digits) ? String(Number(digits)) : text;
}

/** The fault of a typed answer. */
export function faultOf({ answer }: Item, typed: string): Fault | undefined {
  const text = storedAnswer(answer, typed);
  if (text === '') return answer?.required ? 'missing' : undefined;
  if (answer?.kind === 'number') {
    const number = Number(text);
    if (!Number.isFinite(number)) return 'number';
    if (answer.min !== undefined && number < answer.min) return 'low';
    if (answer.max !== undefined && number > answer.max) return 'high';
  }
  return text.length > mostCharacters ? 'long' : undefined;
}

/** The answers to send: without those that were left out. */
export const storedAnswers = (items: readonly Item[], typed: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    items
      .map(({ identifier, answer }) => [identifier, storedAnswer(answer, typed[identifier] ?? '')] as const)
      .filter(([, text]) => text !== ''),
  );

/** Chosen values, in the order of the options. */
export const withChoice = (options: readonly Option[], chosen: string, value: string): string => {
  const values = new Set(chosen.split(' ').filter(Boolean));
  if (!values.delete(value)) values.add(value);
  return options
    .map((option) => option.value)
    .filter((one) => values.has(one))
    .join(' ');
};

/** The points of a scale, if they fit beside each other on a phone. */
export const pointsOf = ({ min, max }: { min: number; max: number }): number[] =>
  max - min > 10 ? [] : Array.from({ length: max - min + 1 }, (_, n) => min + n);
