import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { property } from '../../http/lists/query.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { uri } from '../../http/openapi/shapes.ts';
import { query } from '../../http/validation.ts';
import { countAnswers } from '../answer-counts.ts';

const counts = z
  .strictObject({
    survey: uri('/survey'),
    responses: z.int().meta({ description: 'Responses that were counted.' }),
    items: z.record(z.string(), z.record(z.string(), z.int())).meta({
      description:
        'From item to value to the number of answers that have it; values without any are left out.',
    }),
    complete: z.boolean().meta({ description: 'False: the survey has more responses, which are older.' }),
  })
  .meta({ id: 'AnswerCounts' });

/** The values that people chose. */
export const answerCounts = new Hono<Env>().get(
  '/survey/:id/answer-counts',
  documented({
    id: 'countAnswers',
    tag: 'Surveys',
    summary: 'Counts the answers to a survey by their values',
    description:
      'For owners, editors and monitors: how many answers a change of options would concern. Items that have options now, or yes and no; of `choices` each value counts. Deleted responses do not count. The newest 10,000 responses are looked at, or the newest 20 MB of answers. An editor or monitor who sees a part of the study counts that part.',
    answers: {
      200: json('The counts.', counts, {
        survey: `/survey/${examples.survey.identifier}`,
        responses: 15,
        items: { q1: { well: 12, badly: 3 } },
        complete: true,
      }),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(z.strictObject({ property })),
  async (c) => {
    const survey = c.req.param('id');
    const { investigationId, responses, items, isComplete } = await countAnswers(
      contextOf(c),
      survey,
      c.req.valid('query').property,
    );
    c.set('study', investigationId);
    const answer: z.input<typeof counts> = {
      survey: `/survey/${survey}`,
      responses,
      items,
      complete: isComplete,
    };
    return c.json(answer);
  },
);
