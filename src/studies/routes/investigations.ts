import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag, ifMatch, isKnown, notModified } from '../../http/etag.ts';
import { date, itemStatus, timeZone } from '../../http/fields.ts';
import { cutPage, linkNext } from '../../http/lists/paging.ts';
import { createdCursor } from '../../http/lists/query.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { next, nothing } from '../../http/openapi/shapes.ts';
import { signature } from '../../http/signature.ts';
import { body, chosenIdentifier, count, name, query } from '../../http/validation.ts';
import { deleteStudy, listDeletedStudies, restoreStudy } from '../deletions.ts';
import { givenInformation } from '../information-shapes.ts';
import {
  courseFields,
  investigation,
  type ListedStudy,
  lockPolicy,
  studyExample as sleep,
  toInvestigation,
} from '../investigation-shapes.ts';
import {
  createInvestigation,
  listInvestigations,
  readInvestigation,
  revisionOf,
  updateInvestigation,
} from '../investigations.ts';

const tag = 'Studies';

const createBody = z.strictObject({
  name,
  timeZone: timeZone.default('UTC'),
  startsOn: date.optional(),
  lockPolicy: lockPolicy.partial().optional(),
  information: givenInformation.optional(),
  ...courseFields,
  identifier: chosenIdentifier.optional(),
});
const updateBody = z
  .strictObject({
    name,
    timeZone,
    startsOn: date,
    status: itemStatus,
    lockPolicy: lockPolicy.partial(),
    information: givenInformation,
    ...courseFields,
    signature,
  })
  .partial();

const listQuery = z.strictObject({
  status: z.enum(['deleted'], { error: 'Expected deleted; omit it for all other studies.' }).optional(),
  include: z.enum(['counts'], { error: 'Expected counts.' }).optional().meta({
    description:
      '`counts` adds `participants` and `attention` to the studies that the caller owns or edits, and nothing to deleted ones.',
  }),
  limit: count(1000, 1000),
  cursor: createdCursor.optional(),
});

const investigationList = z
  .strictObject({ investigations: z.array(investigation), next })
  .meta({ id: 'Investigations' });

export const investigations = new Hono<Env>()
  .post(
    '/investigation',
    documented({
      id: 'createInvestigation',
      tag,
      summary: 'Creates a study, which the caller owns',
      request: { name: sleep.name, timeZone: sleep.timeZone, startsOn: sleep.startsOn },
      description:
        'With an `identifier` the request may be repeated safely. Without a `lockPolicy`, everybody who may view an item may unlock it, participants included, and locks need no signature.',
      answers: {
        201: json('The study.', investigation, sleep, ['ETag']),
        200: json('The same study was created before.', investigation, sleep, ['ETag']),
      },
      problems: ['action.forbidden', 'resource.not-found', 'identifier.taken', 'limit.reached'],
    }),
    body(createBody),
    async (c) => {
      const { study, created } = await createInvestigation(contextOf(c), c.req.valid('json'));
      const status = statusOf(c, { created, location: `/investigation/${study.id}` });
      return c.json(toInvestigation(study), status, { etag: etag(revisionOf(study)) });
    },
  )
  .get(
    '/investigation',
    documented({
      id: 'listInvestigations',
      tag,
      summary: 'Lists the studies that the caller belongs to',
      description:
        'In order of creation. With `status=deleted`, the deleted studies that the caller owned and can still bring back, which are in no other list.',
      answers: { 200: json('A page of studies.', investigationList, { investigations: [sleep] }, ['Link']) },
      problems: ['resource.not-found'],
    }),
    query(listQuery),
    async (c) => {
      const { limit, cursor: after, status, include } = c.req.valid('query');
      const page = { limit, after };
      const studies: ListedStudy[] =
        status === 'deleted'
          ? await listDeletedStudies(contextOf(c), page)
          : await listInvestigations(contextOf(c), { ...page, withCounts: include === 'counts' });
      const { rows, next } = cutPage(studies, limit, (row) => [row.createdAt, row.id]);
      linkNext(c, next);
      const list: z.input<typeof investigationList> = {
        investigations: rows.map(toInvestigation),
        ...(next && { next }),
      };
      return c.json(list);
    },
  )
  .get(
    '/investigation/:id',
    documented({
      id: 'readInvestigation',
      tag,
      summary: 'Reads a study',
      answers: { 200: json('The study.', investigation, sleep, ['ETag']) },
      problems: ['resource.not-found'],
    }),
    async (c) => {
      const study = await readInvestigation(contextOf(c), c.req.param('id'));
      const headers = { etag: etag(revisionOf(study)) };
      return isKnown(c, revisionOf(study))
        ? notModified(c, headers)
        : c.json(toInvestigation(study), 200, headers);
    },
  )
  .patch(
    '/investigation/:id',
    documented({
      id: 'updateInvestigation',
      tag,
      summary: 'Changes or archives a study',
      description:
        'For owners; editors change the `information` only, which is replaced as a whole. An archived study cannot be changed, unless the same request brings it back. While the lock policy asks for signatures, a change of it needs one.',
      ifMatch: true,
      request: { name: 'Sleep and dreams', status: 'archived' },
      answers: {
        200: json(
          'The study as it is now.',
          investigation,
          { ...sleep, name: 'Sleep and dreams', status: 'archived' },
          ['ETag'],
        ),
      },
      problems: [
        'date.in-use',
        'property.in-use',
        'resource.not-found',
        'action.forbidden',
        'revision.stale',
        'study.archived',
        'limit.reached',
        'auth.sign-in-stale',
      ],
    }),
    body(updateBody),
    async (c) => {
      const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
      const study = await updateInvestigation(contextOf(c), c.req.param('id'), change);
      return c.json(toInvestigation(study), 200, { etag: etag(revisionOf(study)) });
    },
  )
  .delete(
    '/investigation/:id',
    documented({
      id: 'deleteInvestigation',
      tag,
      summary: 'Deletes an archived study',
      description:
        'For owners. The study disappears for everyone at once: the study and everything in it answer 404. For 30 days an owner can bring it back with `restore`; then everything is removed for good, its notifications and its activity log included.',
      answers: nothing('The study is deleted.'),
      problems: ['resource.not-found', 'action.forbidden', 'study.active', 'study.frozen'],
    }),
    async (c) => {
      await deleteStudy(contextOf(c), c.req.param('id'));
      return c.body(null, 204);
    },
  )
  .post(
    '/investigation/:id/restore',
    documented({
      id: 'restoreInvestigation',
      tag,
      summary: 'Brings back a deleted study',
      description:
        'For its owners, within 30 days. The study is archived, as it was when it was deleted. Restoring one that is not deleted changes nothing.',
      answers: {
        200: json('The study as it is now.', investigation, { ...sleep, status: 'archived' }, ['ETag']),
      },
      problems: ['resource.not-found', 'action.forbidden', 'limit.reached'],
    }),
    async (c) => {
      const study = await restoreStudy(contextOf(c), c.req.param('id'));
      return c.json(toInvestigation(study), 200, { etag: etag(revisionOf(study)) });
    },
  );
