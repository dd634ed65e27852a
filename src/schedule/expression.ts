import { CronExpressionParser } from 'cron-parser';

/** A parsed recurrence. A day field that is `*` stays apart: it does not restrict the days. */
export interface Expression {
  /** `HH:MM`; null with windows, which have the times. */
  time: string | null;
  daysOfMonth: Days;
  daysOfWeek: Days;
}
export type Days = readonly number[] | '*';

interface Field {
  name: string;
  min: number;
  max: number;
  takes: 'number' | 'days' | 'star';
  /** Why only a star is accepted. */
  beside?: string;
}

const maxLength = 200;
const dayItem = /^(\d+|\d+-\d+|(\*|\d+-\d+)\/\d+)$/;

const minuteField: Field = { name: 'minute', min: 0, max: 59, takes: 'number' };
const hourField: Field = { name: 'hour', min: 0, max: 23, takes: 'number' };
const dayOfMonthField: Field = { name: 'day of month', min: 1, max: 31, takes: 'days' };
const monthField: Field = { name: 'month', min: 1, max: 12, takes: 'star' };
const dayOfWeekField: Field = { name: 'day of week', min: 0, max: 7, takes: 'days' };

const fieldsOf = {
  fixed: [minuteField, hourField, dayOfMonthField, monthField, dayOfWeekField],
  rolling: [minuteField, hourField, { ...dayOfMonthField, takes: 'star' }, monthField, dayOfWeekField],
} as const;

/** With windows the minute and the hour are stars too. */
const fieldsFor = (type: keyof typeof fieldsOf, windowed: boolean): readonly Field[] =>
  fieldsOf[type].map((field) =>
    windowed && field.takes === 'number' ? { ...field, takes: 'star', beside: ' beside windows' } : field,
  );

/**
 * Reads a recurrence of five fields (interface, Survey reminders property and Limits). A day field is `*`, or a
 * list of numbers, ranges (`1-5`) and steps over a range (`1-5/2`) or over all the field's numbers (a star and `/2`:
 * 1, 3, ... 31 or 0, 2, 4, 6). Lists may overlap; numbers may have leading zeros. Each of `issues` names the field,
 * the value and what was expected.
 */
export function parseExpression(
  recurrence: string,
  type: keyof typeof fieldsOf,
  windowed = false,
): { expression: Expression } | { issues: string[] } {
  const texts = recurrence.split(' ');
  const fields = fieldsFor(type, windowed);
  const issues = findIssues(recurrence, texts, { type, fields });
  if (issues.length > 0) return { issues };

  const [minute, hour, daysOfMonth = '*', , daysOfWeek = '*'] = fields.map((field, i) =>
    expand(texts[i] ?? '', field),
  );
  const time = windowed ? null : [hour, minute].map((number) => String(number).padStart(2, '0')).join(':');
  return { expression: { time, daysOfMonth, daysOfWeek } };
}

function findIssues(
  recurrence: string,
  texts: string[],
  { type, fields }: { type: keyof typeof fieldsOf; fields: readonly Field[] },
): string[] {
  if (recurrence.length > maxLength) {
    return [`Too long recurrence of ${recurrence.length} characters: expected at most ${maxLength}`];
  }
  if (texts.length !== 5 || texts.includes('')) {
    const names = fields.map((field) => field.name).join(', ');
    return [
      `Unexpected recurrence '${recurrence}': expected five fields (${names}) separated by single spaces`,
    ];
  }
  const issues = fields.flatMap((field, i) => {
    const fault = findFault(texts[i] ?? '', field);
    const place = `in the ${field.name} field of the recurrence '${recurrence}'`;
    return fault ? [`${fault} ${place}: expected ${expectation(field)}`] : [];
  });
  if (type === 'fixed' && texts[2] !== '*' && texts[4] !== '*') {
    issues.push(
      `Two day fields in the recurrence '${recurrence}': expected * as day of month or as day of week`,
    );
  }
  return issues;
}

/** The error of one field's text, such as `Too large value '60'`. */
function findFault(text: string, { min, max, takes }: Field): string | undefined {
  if (text === '*' && takes !== 'number') return;
  if (takes === 'star' || (takes === 'number' && !/^\d+$/.test(text))) return `Unexpected value '${text}'`;

  for (const item of text.split(',')) {
    if (!dayItem.test(item)) return `Unexpected value '${item}'`;
    const [range = '', step] = item.split('/');
    const [from, to] = range === '*' ? [min, max] : range.split('-').map(Number);
    for (const bound of [from, to]) {
      if (bound !== undefined && bound < min) return `Too small value '${bound}'`;
      if (bound !== undefined && bound > max) return `Too large value '${bound}'`;
    }
    if (from !== undefined && to !== undefined && from > to) return `Reversed range '${range}'`;
    if (step !== undefined && Number(step) < 1) return `Too small step '${step}'`;
    if (step !== undefined && Number(step) > max) return `Too large step '${step}'`;
  }
}

function expectation({ min, max, takes, beside = '' }: Field): string {
  if (takes === 'star') return `*${beside}`;
  if (takes === 'number') return `one number from ${min} to ${max}`;
  return `* or a list of numbers and ranges from ${min} to ${max}, with steps from 1 to ${max} over a range or *`;
}

/**
 * The numbers of a checked field, sorted, each once. cron-parser expands them: item by item, because it refuses lists
 * that overlap, and all in its minute field, whose 0-59 holds every number here, because its day of week makes 0 of 7.
 */
function expand(text: string, { min, max }: Field): Days {
  if (text === '*') return text;
  const numbers = text.split(',').flatMap((item) => {
    const expression = `${item.replace('*', `${min}-${max}`)} * * * *`;
    // Without a seed it draws one from Math.random, which is not needed here.
    const { minute } = CronExpressionParser.parse(expression, { hashSeed: 'none' }).fields;
    return minute.values;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}
