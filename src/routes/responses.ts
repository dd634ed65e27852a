import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { etag, ifMatch, isUnchanged } from '../http/etag.ts';
import { avatarPath, iso, lockState, unixSeconds } from '../http/fields.ts';
import { cursor as cursorOf, cutPage, linkNext } from '../http/lists/paging.ts';
import { listQuery } from '../http/lists/query.ts';
import { listResponse, wantsCsv } from '../http/lists/response.ts';
import { body, count, identifier, query, text } from '../http/validation.ts';
import { base64Identifier } from '../identifiers.ts';
import { createResponse, updateResponse } from '../model/answers.ts';
import {
  listResponses,
  listRevisions,
  type Response,
  type ResponseRow,
  readResponse,
} from '../model/responses.ts';
import * as docs from './docs/responses.ts';
import { itemIdentifier } from './surveys.ts';

const answer = text(0, 64_000);
const reason = z.int32({ error: 'Expected a whole number of 32 bits.' });
const map = <V extends z.ZodType>(value: V, of: string) =>
  z.record(itemIdentifier, value, { error: `Expected a map from item identifier to ${of}.` });
const createBody = z.strictObject({
  case: identifier,
  items: map(answer, 'answer'),
  reasons: map(reason, 'number').default({}),
  identifier: identifier.optional(),
});
const updateBody = z
  .strictObject({
    items: map(answer.nullable(), 'answer'),
    reasons: map(reason.nullable(), 'number'),
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
  cursor: cursorOf(z.tuple([z.number().int()])).optional(),
});

export const responses = new Hono<Env>()
  .get('/investigation/:id/responses', docs.list, query(filterQuery), async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query');
    const { db } = c.get('services');
    const study = c.req.param('id');
    const withItems = wantsCsv(c);
    let columns: string[] = [];
    return listResponse(
      c,
      { limit, cursor },
      {
        read: async (after, size) => {
          const asked = { ...filter, after, limit: size, withItems: withItems && after === cursor };
          const { rows, items } = await listResponses(db, c.get('actor'), study, asked);
          if (asked.withItems) columns = items;
          return rows;
        },
        key: (row) => [row.createdAt, row.id],
        of: ['investigation', `investigation/${study}`],
        name: 'responses',
        json: toListed,
        csv: () => csvOf(columns),
      },
    );
  })
  .post('/survey/:id/response', docs.create, body(createBody), async (c) => {
    const { db, now } = c.get('services');
    const given = c.req.valid('json');
    const { response, created } = await createResponse(db, c.get('actor'), c.req.param('id'), given, now());
    return c.json(toSingle(response), created ? 201 : 200, { etag: etag(response.revisionId) });
  })
  .get('/response/:id', docs.read, async (c) => {
    const response = await readResponse(c.get('services').db, c.get('actor'), c.req.param('id'));
    const headers = { etag: etag(response.revisionId) };
    return isUnchanged(c, response) ? c.body(null, 304, headers) : c.json(toSingle(response), 200, headers);
  })
  .patch('/response/:id', docs.update, body(updateBody), async (c) => {
    const { db, now } = c.get('services');
    const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
    const response = await updateResponse(db, c.get('actor'), c.req.param('id'), change, now());
    return c.json(toSingle(response), 200, { etag: etag(response.revisionId) });
  })
  .get('/response/:id/revisions', docs.revisions, query(revisionsQuery), async (c) => {
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
const toListed = (row: ResponseRow) => ({
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

export type ListedResponse = ReturnType<typeof toListed>;

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

/** A column for each item of the study's surveys; answers to items that were dropped since stand in `other`. */
function csvOf(items: string[]) {
  const known = new Set(items);
  return {
    header: [...fixedColumns, ...items.map((item) => `items.${item}`), 'other', 'reasons'],
    row: (response: ResponseRow) => {
      const listed: Partial<Record<(typeof fixedColumns)[number], string | number>> = toListed(response);
      const answers = new Map(Object.entries(response.items));
      const other = [...answers].filter(([item]) => !known.has(item));
      return [
        ...fixedColumns.map((column) => listed[column]),
        ...items.map((item) => answers.get(item)),
        jsonCell(Object.fromEntries(other)),
        jsonCell(response.reasons),
      ];
    },
  };
}

const jsonCell = (map: object) => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');
