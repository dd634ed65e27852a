import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { cursor, encodeCursor, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { next as nextCursor, sha256 } from '../../http/openapi/shapes.ts';
import { query } from '../../http/validation.ts';
import { verifyActivities } from '../verification.ts';

const verifyQuery = z.strictObject({
  cursor: cursor(z.tuple([z.number().int().min(1), sha256])).optional(),
});

const verification = z
  .union([
    z.strictObject({ valid: z.literal(true), entries: z.int(), head: sha256, next: nextCursor }),
    z.strictObject({
      valid: z.literal(false),
      entries: z.int(),
      brokenAt: z.int().meta({ description: 'The first position that does not fit.' }),
    }),
  ])
  .meta({ id: 'Verification' });

export const activityVerification = new Hono<Env>().get(
  '/investigation/:id/activity/verify',
  documented({
    id: 'verifyActivities',
    tag: 'Activity',
    summary: 'Verifies the chain of the log',
    description:
      'One call walks at most 10,000 entries or about five million characters; `next` is the `cursor` of the call that continues. `entries` and `head` are those reached so far.',
    answers: {
      200: json(
        'Whether every entry is as it was written.',
        verification,
        { valid: true, entries: 5, head: examples.hash },
        ['Link'],
      ),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(verifyQuery),
  async (c) => {
    const [position, hash] = c.req.valid('query').cursor ?? [];
    const after = position === undefined || hash === undefined ? undefined : { position, hash };
    const { verified, next: head } = await verifyActivities(contextOf(c), c.req.param('id'), after);
    const next = head && encodeCursor([head.position, head.hash]);
    linkNext(c, next);
    const answer: z.input<typeof verification> = next && verified.valid ? { ...verified, next } : verified;
    return c.json(answer);
  },
);
