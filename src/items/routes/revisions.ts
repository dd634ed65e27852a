import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { givenState, unixSeconds } from '../../http/fields.ts';
import { cursor, encodeCursor, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { count, query } from '../../http/validation.ts';
import { nobody } from '../../permissions/shown-people.ts';
import { listRevisions, type Revision } from '../revisions.ts';

const revisionsQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int()])).optional(),
});

const revision = z
  .strictObject({
    identifier: shapes.id,
    revisionDate: shapes.unix,
    author: shapes.id.meta({
      description: `Responders see themselves, owners and editors here, and ${nobody} for anybody else.`,
    }),
    items: shapes.answers,
    reasons: shapes.reasons,
    reason: z
      .string()
      .optional()
      .meta({ description: 'Why its author changed the answers, if they said so.' }),
    ...shapes.givenState,
  })
  .meta({ id: 'Revision', description: 'The first one tells when the response was given.' });
const revisionList = z
  .strictObject({ response: shapes.uri('/response'), revisions: z.array(revision), next: shapes.next })
  .meta({ id: 'Revisions' });

export const revisions = new Hono<Env>().get(
  '/response/:id/revisions',
  documented({
    id: 'listRevisions',
    tag: 'Responses',
    summary: 'Lists the revisions of a response',
    description:
      'Revisions are complete, in pages of at most `limit` revisions and about a million characters.',
    answers: {
      200: json(
        'Newest first.',
        revisionList,
        {
          response: `/response/${examples.response.identifier}`,
          revisions: [
            {
              identifier: '01a405135790789c9e42c61763f14356',
              revisionDate: 1803971418,
              author: examples.responder.identifier,
              items: { q1: 'badly' },
              reasons: { q2: 1 },
              reason: 'The two answers were mixed up.',
            },
            {
              identifier: examples.revision.identifier,
              revisionDate: 1803970938,
              author: examples.responder.identifier,
              items: { q1: 'well', q2: '' },
              reasons: { q2: 1 },
            },
          ],
        },
        ['Link'],
      ),
    },
    problems: ['resource.not-found'],
  }),
  query(revisionsQuery),
  async (c) => {
    const { limit, cursor: before } = c.req.valid('query');
    const id = c.req.param('id');
    const page = await listRevisions(contextOf(c), id, { limit, before: before?.[0] });
    c.set('study', page.investigationId);
    const next = page.next === undefined ? undefined : encodeCursor([page.next]);
    linkNext(c, next);
    const list: z.input<typeof revisionList> = {
      response: `/response/${id}`,
      revisions: page.revisions.map(toRevision),
      ...(next && { next }),
    };
    return c.json(list);
  },
);

const toRevision = (row: Revision): z.input<typeof revision> => ({
  identifier: row.id,
  revisionDate: unixSeconds(row.at),
  author: row.authorId,
  items: row.items,
  reasons: row.reasons,
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.number === 1 && givenState(row)),
});
