import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { cursor, cutPage, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { id, next as nextCursor } from '../../http/openapi/shapes.ts';
import { count, identifier, query } from '../../http/validation.ts';
import { kinds, listActivityItems } from '../entry-items.ts';

const items = z.array(z.strictObject({ identifier: id }));
const itemList = z
  .strictObject({ cases: items, responses: items, next: nextCursor })
  .meta({ id: 'ActivityItems' });
const itemsQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.enum(kinds), identifier])).optional(),
});
type Kind = (typeof kinds)[number];

export const activityItems = new Hono<Env>().get(
  '/investigation/:id/activity/:entry/items',
  documented({
    id: 'listActivityItems',
    tag: 'Activity',
    summary: 'Lists the items that an entry changed',
    description:
      'Cases first, each kind in order of its identifiers. A page can be sent to `lock-items` as it is. An entry of `lock-matching` has a digest of the whole list in `details.items.sha256`: lower-case hex of SHA-256 over the identifiers in this order, each followed by a line feed. Readers of a part of the study are shown the items that they see: a page looks at 5,000 of them, and may be short.',
    answers: {
      200: json(
        'A page of the items.',
        itemList,
        {
          cases: [{ identifier: examples.case.identifier }],
          responses: [{ identifier: examples.response.identifier }],
        },
        ['Link'],
      ),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(itemsQuery),
  async (c) => {
    const { limit, cursor: after } = c.req.valid('query');
    const { id, entry } = c.req.param();
    const { items, end } = await listActivityItems(contextOf(c), id, entry, { limit, after });
    const { rows, next } = cutPage(items, limit, (item) => [item.kind, item.id] as const, end);
    linkNext(c, next);
    const list: z.input<typeof itemList> = {
      cases: toItems(rows, 'cases'),
      responses: toItems(rows, 'responses'),
      ...(next && { next }),
    };
    return c.json(list);
  },
);

const toItems = (items: { kind: Kind; id: string }[], kind: Kind) =>
  items.filter((item) => item.kind === kind).map(({ id }) => ({ identifier: id }));
