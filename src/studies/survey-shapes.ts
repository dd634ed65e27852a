import * as z from 'zod';
import { iso, propertyRule } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, id, uri } from '../http/openapi/shapes.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import { surveyItem, surveyItemsExample } from './answer-shapes.ts';
import type { Survey } from './surveys.ts';

const storedText = z.strictObject({ subject: z.string(), body: z.string() });
/** With defaults filled in; `reminders/reminder-shapes.ts` has checked it. */
const storedReminders = z
  .strictObject({
    type: z.enum(['fixed', 'rolling', 'triggered']),
    recurrence: z.string().nullable(),
    from: z.union([z.enum(['download', 'joined']), z.strictObject({ date: z.string() })]).optional(),
    days: z
      .union([
        z.array(z.int()),
        z.strictObject({ burst: z.int().optional(), every: z.int(), times: z.int() }),
      ])
      .optional(),
    pick: z.int().optional(),
    clock: z.enum(['participant', 'study']).optional(),
    trigger: z
      .strictObject({
        survey: id,
        where: z.record(z.string(), z.array(z.string())).optional(),
        after: z.int().meta({ description: 'Minutes.' }),
        at: z.string().optional(),
        each: z.boolean(),
      })
      .optional(),
    ends: z.int().nullable(),
    delay: z.int().nullable(),
    unlessAnswered: z.boolean(),
    expiresAfter: z.int().meta({ description: 'Minutes.' }),
    windows: z.array(z.strictObject({ from: z.string(), to: z.string(), count: z.int() })).optional(),
    minGap: z.int().optional().meta({ description: 'Minutes.' }),
    notification: storedText,
    translations: z.record(z.string(), storedText).optional(),
    answerWithin: z.int().optional().meta({ description: 'Minutes.' }),
    lateAnswers: z.enum(['accept', 'refuse']).optional(),
    followUps: z
      .strictObject({ every: z.int(), max: z.int(), stop: z.enum(['answered', 'opened']) })
      .nullable()
      .optional()
      .meta({ description: 'Nudges, `every` minutes apart.' }),
  })
  .meta({ id: 'Reminders' });

export const survey = z
  .strictObject({
    uri: uri('/survey'),
    identifier: id,
    investigation: uri('investigation'),
    name: z.string(),
    items: z.array(surveyItem),
    reminders: storedReminders.nullable(),
    for: propertyRule.optional().meta({
      description:
        'Those who take the survey: who has one of the values of each property. For owners, editors and monitors; nothing if it is for everybody.',
    }),
    archivedAt: at.optional().meta({ description: 'Only of archived surveys.' }),
  })
  .meta({ id: 'Survey' });

export const surveyExample: z.input<typeof survey> = {
  uri: `/survey/${examples.survey.identifier}`,
  identifier: examples.survey.identifier,
  investigation: `investigation/${examples.study.identifier}`,
  name: 'Diary',
  items: surveyItemsExample,
  reminders: {
    type: 'rolling',
    recurrence: '30 21 * * *',
    ends: null,
    delay: null,
    unlessAnswered: false,
    expiresAfter: 360,
    notification: { subject: 'Diary', body: 'How was your day?' },
    translations: { fr: { subject: 'Journal', body: 'Comment était votre journée ?' } },
  },
};

type Row = Pick<Survey, 'id' | 'investigationId' | 'name' | 'items' | 'reminders' | 'archivedAt'> &
  Partial<Pick<Survey, 'for' | 'role'>>;

const mutable = (rule: PropertyRule): Record<string, string[]> =>
  Object.fromEntries(Object.entries(rule).map(([name, values]) => [name, [...values]]));

export const toSurvey = (row: Row): z.input<typeof survey> => ({
  uri: `/survey/${row.id}`,
  identifier: row.id,
  investigation: `investigation/${row.investigationId}`,
  name: row.name,
  items: row.items,
  reminders: row.reminders,
  ...(row.for && row.role !== 'responder' && { for: mutable(row.for) }),
  ...(row.archivedAt !== null && { archivedAt: iso(row.archivedAt) }),
});
