import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { instant, iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { at, uri } from '../../http/openapi/shapes.ts';
import { query } from '../../http/validation.ts';
import { surveyItem, surveyItemsExample } from '../answer-shapes.ts';
import { readItemsAt } from '../survey-history.ts';
import { surveyExample } from '../survey-shapes.ts';

const historyQuery = z.strictObject({
  at: instant.meta({ description: 'An instant, such as the one at which a response was given.' }),
});

const earlierItems = z
  .strictObject({
    survey: uri('/survey'),
    at,
    items: z
      .array(surveyItem)
      .nullable()
      .meta({ description: 'Null: they are not known, since they were too long for the activity log.' }),
    changedAt: at
      .optional()
      .meta({ description: 'When the items next changed. Absent: they are those of now.' }),
  })
  .meta({ id: 'EarlierItems' });

/** The wording of a survey at an earlier time. */
export const surveyHistory = new Hono<Env>().get(
  '/survey/:id/items',
  documented({
    id: 'readSurveyItems',
    tag: 'Surveys',
    summary: 'Reads the items of a survey as they were at an instant',
    description:
      'An answer means what its item said when it was given. For everybody who may read the survey; the activity log has the changes.',
    answers: {
      200: json('The items of then.', earlierItems, {
        survey: surveyExample.uri,
        at: '2027-03-02T07:02:18.000Z',
        items: surveyItemsExample,
        changedAt: '2027-03-10T09:00:00.000Z',
      }),
    },
    problems: ['resource.not-found'],
  }),
  query(historyQuery),
  async (c) => {
    const asked = c.req.valid('query').at;
    const { survey, items, changedAt } = await readItemsAt(contextOf(c), c.req.param('id'), asked);
    c.set('study', survey.investigationId);
    const answer: z.input<typeof earlierItems> = {
      survey: `/survey/${survey.id}`,
      at: iso(asked),
      items,
      ...(changedAt !== null && { changedAt: iso(changedAt) }),
    };
    return c.json(answer);
  },
);
