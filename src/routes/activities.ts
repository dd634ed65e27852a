import { Hono } from 'hono';
import { z } from 'zod';
import { contextOf, type Env } from '../http/context.ts';
import { iso } from '../http/fields.ts';
import { cursor, cutPage, linkNext } from '../http/lists/paging.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, id, next as nextCursor, uri } from '../http/openapi/shapes.ts';
import { count, identifier, query } from '../http/validation.ts';
import { actions } from '../model/activities.ts';
import { type ListedActivity, listActivities, verifyActivities } from '../model/activity-log.ts';

const tag = 'Activity';

const listQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int()])).optional(),
  action: z.enum(actions, { error: `Expected one of ${actions.join(', ')}.` }).optional(),
  item: identifier.optional(),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const activity = z
  .strictObject({
    identifier: id,
    at,
    actor: id,
    actorName: z.string(),
    action: z.enum(actions),
    cases: z.array(id),
    responses: z.array(id),
    reason: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
    hash: hash.meta({ description: 'SHA-256 over the previous hash and this entry.' }),
  })
  .meta({ id: 'Activity' });
const activityList = z
  .strictObject({ investigation: uri('investigation'), activities: z.array(activity), next: nextCursor })
  .meta({ id: 'Activities' });
const verification = z
  .union([
    z.strictObject({ valid: z.literal(true), entries: z.int(), head: hash }),
    z.strictObject({
      valid: z.literal(false),
      entries: z.int(),
      brokenAt: z.int().meta({ description: 'The first position that does not fit.' }),
    }),
  ])
  .meta({ id: 'Verification' });

const newestHash = 'b1d63b7bd2a5b8cf7a1b0c1b7e6a0f35bb1f6c1ad3be0ba3c64a0b6fd2a4e97c';

export const activities = new Hono<Env>()
  .get(
    '/investigation/:id/activity',
    documented({
      id: 'listActivities',
      tag,
      summary: 'Lists who did what in a study',
      answers: {
        200: json(
          'Newest first.',
          activityList,
          {
            investigation: `investigation/${examples.study.identifier}`,
            activities: [
              {
                identifier: '01a4497d1b0074ce9d15c9dd7225d357',
                at: '2027-03-15T14:00:00.000Z',
                actor: examples.editor.identifier,
                actorName: examples.editor.name,
                action: 'items.locked',
                cases: [examples.case.identifier],
                responses: [],
                reason: 'Interim analysis',
                hash: newestHash,
              },
            ],
          },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(listQuery),
    async (c) => {
      const { cursor: before, ...filter } = c.req.valid('query');
      const study = c.req.param('id');
      const found = await listActivities(contextOf(c), study, { ...filter, before: before?.[0] });
      const { rows, next } = cutPage(found, filter.limit, (row) => [row.position]);
      linkNext(c, next);
      const page: z.input<typeof activityList> = {
        investigation: `investigation/${study}`,
        activities: rows.map(toActivity),
        ...(next && { next }),
      };
      return c.json(page);
    },
  )
  .get(
    '/investigation/:id/activity/verify',
    documented({
      id: 'verifyActivities',
      tag,
      summary: 'Verifies the chain of the log',
      answers: {
        200: json('Whether every entry is as it was written.', verification, {
          valid: true,
          entries: 5,
          head: newestHash,
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const verified: z.input<typeof verification> = await verifyActivities(contextOf(c), c.req.param('id'));
      return c.json(verified);
    },
  );

const toActivity = (row: ListedActivity): z.input<typeof activity> => ({
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
