import * as z from 'zod';
import { iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, id, next, uri } from '../http/openapi/shapes.ts';
import type { CodebookRow } from './codebook.ts';

const option = z.strictObject({ value: z.string(), label: z.string() });

const row = z
  .strictObject({
    survey: id,
    surveyName: z.string(),
    item: z.string().nullable().meta({
      description: 'Null: the items of this time are not known, since they were too long for the log.',
    }),
    label: z.string().nullable(),
    kind: z.string().nullable().meta({ description: 'Null: any text answers the item.' }),
    required: z.boolean(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    options: z.array(option).nullable(),
    sets: z.string().nullable().meta({ description: 'The name of the date that the answer sets.' }),
    from: at,
    to: at.nullable().meta({ description: 'Null: until now.' }),
  })
  .meta({ id: 'CodebookItem' });

export const codebook = z
  .strictObject({ investigation: uri('investigation'), items: z.array(row), next })
  .meta({ id: 'Codebook' });

export const codebookExample: z.input<typeof row> = {
  survey: examples.survey.identifier,
  surveyName: 'Diary',
  item: 'q1',
  label: 'How did you sleep?',
  kind: 'choice',
  required: false,
  min: null,
  max: null,
  options: [
    { value: 'well', label: 'Well' },
    { value: 'badly', label: 'Badly' },
  ],
  sets: null,
  from: '2027-03-01T08:00:00.000Z',
  to: null,
};

const noRule: { min?: undefined; max?: undefined; options?: undefined; sets?: undefined } = {};

export function toCodebookItem({ survey, surveyName, item, from, to }: CodebookRow): z.input<typeof row> {
  const { min, max, options, sets } = { ...noRule, ...item?.answer };
  return {
    survey,
    surveyName,
    item: item?.identifier ?? null,
    label: item?.label ?? null,
    kind: item?.answer?.kind ?? null,
    required: item?.answer?.required ?? false,
    min: min ?? null,
    max: max ?? null,
    options: options ?? null,
    sets: sets ?? null,
    from: iso(from),
    to: to === null ? null : iso(to),
  };
}

const columns = [
  'survey',
  'surveyName',
  'item',
  'label',
  'kind',
  'required',
  'min',
  'max',
  'options',
  'sets',
  'from',
  'to',
] as const satisfies (keyof z.input<typeof row>)[];

export const codebookCsv = {
  header: [...columns],
  row: (item: CodebookRow) => {
    const shown = toCodebookItem(item);
    const options = shown.options === null ? '' : JSON.stringify(shown.options);
    return columns.map((column) => (column === 'options' ? options : shown[column]));
  },
};
