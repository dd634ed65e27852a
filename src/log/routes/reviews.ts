import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { uri } from '../../http/openapi/shapes.ts';
import { signature } from '../../http/signature.ts';
import { body, text } from '../../http/validation.ts';
import { reviewed, toReviewed } from '../../log/reviewed-shapes.ts';
import { reviewLog } from '../reviews.ts';

const expected = 'Expected the position of an entry: a whole number from 1.';
const position = z.int(expected).min(1, expected);

const reviewBody = z.strictObject({
  from: position.optional().meta({
    description:
      'The first position of the range. When omitted, the one after all that is reviewed from the beginning.',
  }),
  to: position.meta({ description: 'The last position, which the reviewer has seen.' }),
  comment: text(1, 500),
  signature,
});

const answer = z.strictObject({ investigation: uri('investigation'), reviewed }).meta({ id: 'ReviewedLog' });

export const reviews = new Hono<Env>().post(
  '/investigation/:id/activity/review',
  documented({
    id: 'reviewActivities',
    tag: 'Activity',
    summary: 'Marks a range of the activity log as reviewed',
    description:
      'For owners, and editors who see all of the study. The review is an entry of the log itself, `log.reviewed`, with the range and the comment. It changes nothing else, so that frozen and archived studies are reviewed too. Ranges may be reviewed again; repeating the newest review adds no entry.',
    request: { from: 1, to: 57, comment: 'Audit trail review of March: nothing unexpected.' },
    answers: {
      200: json('All that is reviewed now.', answer, {
        investigation: `investigation/${examples.study.identifier}`,
        reviewed: {
          through: 57,
          ranges: [{ from: 1, to: 57 }],
          at: '2027-04-01T09:30:00.000Z',
          actor: examples.editor.identifier,
          actorName: examples.editor.name,
        },
      }),
    },
    problems: ['resource.not-found', 'action.forbidden', 'auth.sign-in-stale', 'limit.reached'],
  }),
  body(reviewBody),
  async (c) => {
    const id = c.req.param('id');
    const found = await reviewLog(contextOf(c), id, c.req.valid('json'));
    const shown: z.input<typeof answer> = {
      investigation: `investigation/${id}`,
      reviewed: toReviewed(found),
    };
    return c.json(shown);
  },
);
