import { compareDecimals, jsonNumber } from '../decimals.ts';
import { type Fault, Problem } from '../errors.ts';
import { isDate, isWallTime } from '../schedule/civil.ts';
import type { AnswerKind, SurveyItem } from '../studies/survey-schema.ts';
import type { Answers } from './schema.ts';

/**
 * Answers fit their items, and items that require an answer have one. Of a change, only the answers that it changes.
 * @throws request.invalid with all that do not
 */
export function checkAnswers(surveyItems: SurveyItem[], answers: Answers, before?: Answers) {
  const errors: Fault[] = [];
  for (const { identifier, answer } of surveyItems) {
    const given = Object.hasOwn(answers, identifier) ? answers[identifier] : '';
    const former = before && (Object.hasOwn(before, identifier) ? before[identifier] : '');
    const detail = answer && given !== former ? expectationOf(answer, given ?? '') : undefined;
    if (detail !== undefined) errors.push({ pointer: `/items/${identifier}`, detail });
  }
  if (errors[0]) throw new Problem('request.invalid', errors[0].detail, { errors });
}

/** The expected form, if an answer does not have it. An empty text is no answer. */
function expectationOf(rule: AnswerKind, given: string): string | undefined {
  if (given === '') return rule.required ? 'Expected an answer: the survey requires one.' : undefined;
  switch (rule.kind) {
    case 'text':
      return undefined;
    case 'number': {
      const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = rule;
      const fits =
        jsonNumber.test(given) &&
        compareDecimals(given, String(min)) >= 0 &&
        compareDecimals(given, String(max)) <= 0;
      return fits ? undefined : `Expected a number${range(rule)}, with a point before decimals.`;
    }
    case 'scale': {
      const fits = wholeNumber.test(given) && isBetween(Number(given), rule.min, rule.max);
      return fits ? undefined : `Expected a whole number${range(rule)}.`;
    }
    case 'choice':
      return rule.options.some(({ value }) => value === given)
        ? undefined
        : "Expected the value of one of the item's options.";
    case 'choices': {
      const values = new Set(rule.options.map(({ value }) => value));
      return given.split(' ').every((value) => values.delete(value))
        ? undefined
        : "Expected values of the item's options, each once, separated by a space.";
    }
    case 'yes-no':
      return given === 'yes' || given === 'no' ? undefined : 'Expected yes or no.';
    case 'time':
      return isWallTime(given) ? undefined : 'Expected a time from 00:00 to 23:59, as HH:MM.';
    case 'date':
      return isDate(given) ? undefined : 'Expected a date that exists, as YYYY-MM-DD.';
  }
}

const wholeNumber = /^(?:0|-?[1-9][0-9]*)$/;
const isBetween = (n: number, min: number, max: number) => n >= min && n <= max;

function range({ min, max }: { min?: number | undefined; max?: number | undefined }): string {
  if (min === undefined) return max === undefined ? '' : ` of at most ${max}`;
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
}
