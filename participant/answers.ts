import { compareDecimals } from '../src/decimals.ts';
import { readNumber } from './numbers.ts';
import type { Survey } from './snapshot.ts';

/* Kinds of answers, as the service checks them: an answer is a text, and an empty one is none. */

export type Item = Survey['items'][number];
export type AnswerKind = NonNullable<Item['answer']>;
export type Option = Extract<AnswerKind, { kind: 'choice' }>['options'][number];

/** Texts by the identifier of their item. */
export type Answers = Readonly<Record<string, string>>;

/** Entries of a form: texts, and for numbers with two readings the chosen one. */
export interface Entered {
  items: Answers;
  chosen: Answers;
}

export type Fault =
  | 'missing'
  | 'number'
  | 'ambiguous'
  | 'low'
  | 'high'
  | 'long'
  | 'characters'
  | 'date'
  | 'time'
  | 'option';

/** Of characters as the service counts them: a smiley is one. */
const mostCharacters = 64_000;

/** Characters by which a text is too long. */
export const excessOf = (text: string): number =>
  text.length <= mostCharacters ? 0 : Math.max(0, [...text].length - mostCharacters);

/** The text that the service stores for what somebody typed: it is as it was typed, but for the digits of a number. */
export function storedAnswer(answer: AnswerKind | undefined, typed: string, chosen?: string): string {
  if (typed.trim() === '') return '';
  if (answer?.kind !== 'number') return typed;
  const reading = readNumber(typed);
  if (reading.is === 'number') return reading.text;
  return reading.is === 'ambiguous' && isOneOf(reading, chosen) ? chosen : typed.trim();
}

const isOneOf = (
  { whole, decimal }: { whole: string; decimal: string },
  chosen: string | undefined,
): chosen is string => chosen === whole || chosen === decimal;

/** The two numbers that somebody may have meant. */
export function readingsOf({ answer }: Item, typed: string): { whole: string; decimal: string } | undefined {
  const reading = answer?.kind === 'number' ? readNumber(typed) : undefined;
  return reading?.is === 'ambiguous' ? reading : undefined;
}

/** The fault of a typed answer. */
export function faultOf({ answer }: Item, typed: string, chosen?: string): Fault | undefined {
  const text = storedAnswer(answer, typed, chosen);
  if (text === '') return answer?.required ? 'missing' : undefined;
  if (excessOf(text) > 0) return 'long';
  if (/\p{Cs}/u.test(text) || text.includes('\0')) return 'characters';
  switch (answer?.kind) {
    case 'number':
      return numberFault(answer, { typed, text, chosen });
    case 'date':
      return isDate(text) ? undefined : 'date';
    case 'time':
      return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? undefined : 'time';
    case 'scale':
      return isPoint(answer, text) ? undefined : 'option';
    case 'yes-no':
      return text === 'yes' || text === 'no' ? undefined : 'option';
    case 'choice':
      return valuesOf(answer).has(text) ? undefined : 'option';
    case 'choices':
      return text.split(' ').every((value) => valuesOf(answer).has(value)) ? undefined : 'option';
  }
  return undefined;
}

function numberFault(
  { min, max }: { min?: number | undefined; max?: number | undefined },
  { typed, text, chosen }: { typed: string; text: string; chosen: string | undefined },
): Fault | undefined {
  const reading = readNumber(typed);
  if (reading.is === 'none') return 'number';
  // The typed text may look like one of the readings.
  if (reading.is === 'ambiguous' && !isOneOf(reading, chosen)) return 'ambiguous';
  if (min !== undefined && compareDecimals(text, String(min)) < 0) return 'low';
  if (max !== undefined && compareDecimals(text, String(max)) > 0) return 'high';
  return undefined;
}

/** Dates that a calendar of the browser takes. A year of fewer digits is a slip: 0027 for 2027. */
export const [firstDate, lastDate] = ['1000-01-01', '9999-12-31'];

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  // Date takes 30 February for 2 March.
  return (
    /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
    month >= 1 &&
    day >= 1 &&
    new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text)
  );
}

const isPoint = ({ min, max }: { min: number; max: number }, text: string) =>
  /^(?:0|-?[1-9]\d*)$/.test(text) && Number(text) >= min && Number(text) <= max;

const valuesOf = ({ options }: { options: readonly Option[] }) => new Set(options.map(({ value }) => value));

/** The answers to send: without those that were left out, and those to items that the survey has no more. */
export function storedAnswers(
  items: readonly Item[],
  { items: typed, chosen }: Entered,
): Record<string, string> {
  return Object.fromEntries(
    items
      .map(({ identifier, answer }) => {
        const text = storedAnswer(answer, typed[identifier] ?? '', chosen[identifier]);
        return [identifier, text] as const;
      })
      .filter(([, text]) => text !== ''),
  );
}

/** Answers to items that the survey has no more. */
export const formerAnswers = (items: readonly Item[], typed: Answers): [string, string][] =>
  Object.entries(typed).filter(
    ([item, text]) => text !== '' && !items.some(({ identifier }) => identifier === item),
  );

/** Chosen values, in the order of the options. */
export const withChoice = (options: readonly Option[], chosen: string, value: string): string => {
  const values = new Set(chosen.split(' ').filter(Boolean));
  if (!values.delete(value)) values.add(value);
  return options
    .map((option) => option.value)
    .filter((chosenValue) => values.has(chosenValue))
    .join(' ');
};

/** The points of a scale, if they fit beside each other on a phone. */
export const pointsOf = ({ min, max }: { min: number; max: number }): number[] =>
  max - min > 10 ? [] : Array.from({ length: max - min + 1 }, (_, n) => min + n);
