import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { iso } from '../http/fields.ts';
import { cursor, cutPage, linkNext } from '../http/lists/paging.ts';
import { count, identifier, query } from '../http/validation.ts';
import { actions, listActivities, verifyActivities } from '../model/activities.ts';
import * as docs from './docs/activities.ts';

const listQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int()])).optional(),
  action: z.enum(actions, { error: `Expected one of ${actions.join(', ')}.` }).optional(),
  item: identifier.optional(),
});

export const activities = new Hono<Env>()
  .get('/investigation/:id/activity', docs.list, query(listQuery), async (c) => {
    const { limit, cursor: before, ...filter } = c.req.valid('query');
    const study = c.req.param('id');
    const page = { ...filter, limit, before: before?.[0] };
    const found = await listActivities(c.get('services').db, c.get('actor'), study, page);
    const { rows, next } = cutPage(found, limit, (row) => [row.position]);
    linkNext(c, next);
    return c.json({
      investigation: `investigation/${study}`,
      activities: rows.map(toActivity),
      ...(next && { next }),
    });
  })
  .get('/investigation/:id/activity/verify', docs.verify, async (c) => {
    return c.json(await verifyActivities(c.get('services').db, c.get('actor'), c.req.param('id')));
  });

const toActivity = (row: Awaited<ReturnType<typeof listActivities>>[number]) => ({
  identifier: row.id,
  at: iso(row.at),
  actor: row.actorId,
  actorName: row.actorName ?? '',
  action: row.action,
  cases: row.cases,
  responses: row.responses,
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.details !== null && { details: row.details }),
  hash: row.hash,
});
