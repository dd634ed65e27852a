import * as z from 'zod';
import { dateName, itemIdentifier } from '../http/fields.ts';
import { bounded, text } from '../http/validation.ts';

const expectedOptions = 'Expected 1 to 100 options.';
const optionsOf = (value: z.ZodType<string, string>) =>
  z
    .array(z.strictObject({ value, label: text(1, 500) }), { error: expectedOptions })
    .min(1, expectedOptions)
    .max(100, expectedOptions)
    .superRefine((list, ctx) => {
      const seen = new Set<string>();
      for (const [n, { value }] of list.entries()) {
        if (seen.has(value))
          ctx.addIssue({ code: 'custom', path: [n, 'value'], message: 'Expected each value once.' });
        seen.add(value);
      }
    });

const options = optionsOf(itemIdentifier).meta({
  description: 'The choices: people read the label, and the answer has the value.',
});
const wholeNumber = 'Expected a whole number, such as -2 or 7.';
const labels = optionsOf(bounded(5, wholeNumber).regex(/^(?:0|-?[1-9][0-9]{0,3})$/, wholeNumber))
  .optional()
  .meta({ description: 'Labels of some points, such as the ends.' });

const expectedPoint = 'Expected a whole number from -1000 to 1000.';
const point = z.int({ error: expectedPoint }).min(-1000, expectedPoint).max(1000, expectedPoint);
const bound = z.number({ error: 'Expected a number.' }).optional();
const aboveMin = { path: ['max'], error: 'Expected a number greater than min.' };

const ofKind = <K extends string, F extends z.ZodRawShape>(kind: K, fields: F) =>
  z.strictObject({
    kind: z.literal(kind),
    required: z
      .boolean({ error: 'Expected true or false.' })
      .optional()
      .meta({ description: 'A response without this answer is refused.' }),
    ...fields,
  });

const number = ofKind('number', { min: bound, max: bound }).refine(
  ({ min = -Infinity, max = Infinity }) => min < max,
  aboveMin,
);

const scale = ofKind('scale', { min: point, max: point, options: labels })
  .refine(({ min, max }) => min < max, aboveMin)
  .superRefine(({ min, max, options = [] }, ctx) => {
    for (const [n, { value }] of options.entries())
      if (Number(value) < min || Number(value) > max)
        ctx.addIssue({
          code: 'custom',
          path: ['options', n, 'value'],
          message: `Expected a whole number from ${min} to ${max}.`,
        });
  });

const kinds = [
  ofKind('text', {}),
  number,
  ofKind('choice', { options }),
  ofKind('choices', { options }),
  scale,
  ofKind('yes-no', {}),
  ofKind('time', {}),
  ofKind('date', {
    sets: dateName.optional().meta({
      description:
        "The name of a date of the study: the answer becomes the answerer's date of that name, from which reminders count.",
    }),
  }),
] as const;
const kindNames = 'text, number, choice, choices, scale, yes-no, time or date';

const answer = z
  .discriminatedUnion('kind', kinds, {
    error: ({ code }) => (code === 'invalid_union' ? `Expected ${kindNames}.` : undefined),
  })
  .meta({
    id: 'AnswerKind',
    description:
      'How an item is answered. Answers are texts: a number as JSON writes it, from `min` to `max`; `choice`: the value of an option; `choices`: values, separated by a space; `scale`: a whole number from `min` to `max`; `yes-no`: `yes` or `no`; `time`: `HH:MM`; `date`: `YYYY-MM-DD`. Other answers are refused.',
  });

/** An item of a survey: a question, and how it is answered. */
export const surveyItem = z
  .strictObject({
    identifier: itemIdentifier,
    label: text(0, 2000),
    answer: answer.optional().meta({ description: 'Any text answers the item when omitted.' }),
  })
  .meta({ id: 'SurveyItem' });

type SurveyItem = z.infer<typeof surveyItem>;

const maxOptions = 2000;

/** The items of a survey in a request. */
export const surveyItems = z
  .array(surveyItem, { error: 'Expected a list of items.' })
  .max(1000, 'Expected at most 1000 items.')
  .superRefine((list, ctx) => {
    const seen = new Set<string>();
    const set = new Set<string>();
    for (const [n, { identifier, answer }] of list.entries()) {
      if (seen.has(identifier))
        ctx.addIssue({
          code: 'custom',
          path: [n, 'identifier'],
          message: 'Expected each item identifier once.',
        });
      seen.add(identifier);
      if (answer?.kind !== 'date' || answer.sets === undefined) continue;
      if (set.has(answer.sets))
        ctx.addIssue({
          code: 'custom',
          path: [n, 'answer', 'sets'],
          message: 'Expected at most one item that sets a date.',
        });
      set.add(answer.sets);
    }
    if (list.reduce((total, item) => total + optionsIn(item), 0) > maxOptions)
      ctx.addIssue({ code: 'custom', message: `Expected at most ${maxOptions} options in all.` });
  });

const optionsIn = ({ answer }: SurveyItem) =>
  answer && 'options' in answer ? (answer.options?.length ?? 0) : 0;

export const surveyItemsExample: SurveyItem[] = [
  {
    identifier: 'q1',
    label: 'How did you sleep?',
    answer: {
      kind: 'choice',
      options: [
        { value: 'well', label: 'Well' },
        { value: 'badly', label: 'Badly' },
      ],
    },
  },
  { identifier: 'q2', label: 'When did you wake up?', answer: { kind: 'time' } },
];
