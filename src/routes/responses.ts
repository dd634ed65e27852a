import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { etag, ifMatch } from '../http/etag.ts';
import { avatarPath, iso, lockState, unixSeconds } from '../http/fields.ts';
import { listQuery } from '../http/list-query.ts';
import { listResponse } from '../http/lists.ts';
import { cursor, cutPage, linkNext } from '../http/paging.ts';
import { body, count, identifier, query, text } from '../http/validation.ts';
import { base64Identifier } from '../identifiers.ts';
import {
  createResponse,
  listResponses,
  listRevisions,
  type Response,
  readResponse,
  updateResponse,
} from '../model/responses.ts';
import { listSurveys } from '../model/surveys.ts';
import { itemIdentifier } from './surveys.ts';

const answer = text(0, 64_000);
const reason = z.int32({ error: 'Expected a whole number.' });
const createBody = z.strictObject({
  case: identifier,
  items: z.record(itemIdentifier, answer, { error: 'Expected a map from item identifier to answer.' }),
  reasons: z.record(itemIdentifier, reason).default({}),
  identifier: identifier.optional(),
});
const updateBody = z
  .strictObject({
    items: z.record(itemIdentifier, answer.nullable()),
    reasons: z.record(itemIdentifier, reason.nullable()),
  })
  .partial();
const filterQuery = z.strictObject({
  ...listQuery,
  case: identifier.optional(),
  survey: identifier.optional(),
  responder: identifier.optional(),
});
const revisionsQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int()])).optional(),
});

export const responses = new Hono<Env>()
  .get('/investigation/:id/responses', query(filterQuery), async (c) => {
    const { limit, cursor: after, ...filter } = c.req.valid('query');
    const { db } = c.get('services');
    const study = c.req.param('id');
    const actor = c.get('actor');
    const csv = c.req.header('accept')?.includes('text/csv') ? await csvColumns(db, actor, study) : noColumns;
    return listResponse(
      c,
      { limit, cursor: after },
      {
        read: (behind, size) => listResponses(db, actor, study, { ...filter, after: behind, limit: size }),
        key: (row) => [row.createdAt, row.id],
        of: ['investigation', `investigation/${study}`],
        name: 'responses',
        json: toListed,
        csv,
      },
    );
  })
  .post('/survey/:id/response', body(createBody), async (c) => {
    const { db, now } = c.get('services');
    const given = c.req.valid('json');
    const { response, created } = await createResponse(db, c.get('actor'), c.req.param('id'), given, now());
    return c.json(toSingle(response), created ? 201 : 200, { etag: etag(response.revisionId) });
  })
  .get('/response/:id', async (c) => {
    const response = await readResponse(c.get('services').db, c.get('actor'), c.req.param('id'));
    return c.json(toSingle(response), 200, { etag: etag(response.revisionId) });
  })
  .patch('/response/:id', body(updateBody), async (c) => {
    const { db, now } = c.get('services');
    const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
    const response = await updateResponse(db, c.get('actor'), c.req.param('id'), change, now());
    return c.json(toSingle(response), 200, { etag: etag(response.revisionId) });
  })
  .get('/response/:id/revisions', query(revisionsQuery), async (c) => {
    const { limit, cursor: before } = c.req.valid('query');
    const id = c.req.param('id');
    const found = await listRevisions(c.get('services').db, c.get('actor'), id, {
      limit,
      before: before?.[0],
    });
    const { rows, next } = cutPage(found, limit, (row) => [row.number]);
    linkNext(c, next);
    return c.json({ response: `/response/${id}`, revisions: rows.map(toRevision), ...(next && { next }) });
  });

/** The list form of the interface. */
const toListed = (row: Response) => ({
  uri: `response/${row.id}`,
  identifier: row.id,
  b64Identifier: base64Identifier(row.id),
  creation: iso(row.createdAt),
  case: row.caseId,
  responder: row.responderId,
  name: row.responderName ?? '',
  avatar: avatarPath(row.responderId),
  items: row.items,
  reasons: row.reasons,
  survey: row.surveyId,
  ...lockState(row),
  revisionUNIX: unixSeconds(row.revisedAt),
  revisionIdentifier: row.revisionId,
});

/** The single form of the interface. */
const toSingle = (row: Response) => ({
  uri: `/response/${row.id}`,
  survey: `/survey/${row.surveyId}`,
  responder: `/user/${row.responderId}`,
  case: `case/${row.caseId}`,
  items: row.items,
  reasons: row.reasons,
  revisionDate: unixSeconds(row.revisedAt),
  ...lockState(row),
});

const toRevision = (row: Awaited<ReturnType<typeof listRevisions>>[number]) => ({
  identifier: row.id,
  revisionDate: unixSeconds(row.at),
  author: row.authorId,
  items: row.items,
  reasons: row.reasons,
});

const fixedColumns = [
  'identifier',
  'creation',
  'case',
  'responder',
  'name',
  'survey',
  'lockedAt',
  'status',
  'revisionUNIX',
  'revisionIdentifier',
] as const;
const noColumns = { header: [], row: () => [] };

/** A column for each item of the study's surveys; answers to items that were dropped since stand in `other`. */
async function csvColumns(db: Env['Variables']['services']['db'], actor: string, study: string) {
  const surveys = await listSurveys(db, actor, study);
  const items = [...new Set(surveys.flatMap((survey) => survey.items.map((item) => item.identifier)))];
  const known = new Set(items);
  return {
    header: [...fixedColumns, ...items.map((item) => `items.${item}`), 'other', 'reasons'],
    row: (response: Response) => {
      const listed: Partial<Record<string, string | number>> & object = {
        ...toListed(response),
        items: '',
        reasons: '',
      };
      const other = Object.entries(response.items).filter(([item]) => !known.has(item));
      return [
        ...fixedColumns.map((column) => listed[column] ?? ''),
        ...items.map((item) => response.items[item] ?? ''),
        other.length > 0 ? JSON.stringify(Object.fromEntries(other)) : '',
        Object.keys(response.reasons).length > 0 ? JSON.stringify(response.reasons) : '',
      ];
    },
  };
}
