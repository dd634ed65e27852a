import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { etag, ifMatch, isUnchanged } from '../http/etag.ts';
import { avatarPath, iso, lockState, unixSeconds } from '../http/fields.ts';
import { listQuery } from '../http/lists/query.ts';
import { listResponse } from '../http/lists/response.ts';
import { body, identifier, query, text } from '../http/validation.ts';
import { type Case, createCase, listCases, readCase, updateCase } from '../model/cases.ts';
import * as docs from './docs/cases.ts';

const label = text(1, 500);
const hidden = z.boolean({ error: 'Expected true or false.' });
const createBody = z.strictObject({
  label,
  hidden: hidden.default(false),
  identifier: identifier.optional(),
});
const updateBody = z.strictObject({ label, hidden }).partial();

export const cases = new Hono<Env>()
  .get('/investigation/:id/cases', docs.list, query(z.strictObject(listQuery)), async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query');
    const { db } = c.get('services');
    const study = c.req.param('id');
    return listResponse(
      c,
      { limit, cursor },
      {
        read: (after, size) => listCases(db, c.get('actor'), study, { ...filter, after, limit: size }),
        key: (row) => [row.createdAt, row.id],
        of: ['uri', `investigation/${study}`],
        name: 'cases',
        json: toCase,
        csv: () => ({ header: [...csvHeader], row: toCells }),
      },
    );
  })
  .post('/investigation/:id/case', docs.create, body(createBody), async (c) => {
    const { db, now } = c.get('services');
    const { case: row, created } = await createCase(
      db,
      { actor: c.get('actor'), investigation: c.req.param('id'), most: c.get('limits').cases },
      c.req.valid('json'),
      now(),
    );
    return c.json(toCase(row), created ? 201 : 200, { etag: etag(row.revisionId) });
  })
  .get('/case/:id', docs.read, async (c) => {
    const row = await readCase(c.get('services').db, c.get('actor'), c.req.param('id'));
    const headers = { etag: etag(row.revisionId) };
    // The name of its creator is part of it.
    const unchanged = row.creatorNamedAt !== null && row.creatorNamedAt < row.editedAt && isUnchanged(c, row);
    return unchanged ? c.body(null, 304, headers) : c.json(toCase(row), 200, headers);
  })
  .patch('/case/:id', docs.update, body(updateBody), async (c) => {
    const { db, now } = c.get('services');
    const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
    const row = await updateCase(db, c.get('actor'), c.req.param('id'), change, now());
    return c.json(toCase(row), 200, { etag: etag(row.revisionId) });
  });

/** A case as the interface shows it. */
export interface ListedCase {
  identifier: string;
  uri: string;
  creation: string;
  label: string;
  hidden: boolean;
  revisionIdentifier: string;
  editedAt: number;
  creatorIdentifier: string;
  creatorNames: string;
  creatorAvatar: string;
  lockedAt?: string;
  status?: string;
}

const csvHeader = [
  'identifier',
  'creation',
  'label',
  'hidden',
  'revisionIdentifier',
  'editedAt',
  'creatorIdentifier',
  'creatorNames',
  'lockedAt',
  'status',
] as const satisfies (keyof ListedCase)[];

/** In lists and alone. */
const toCase = (row: Case): ListedCase => ({
  identifier: row.id,
  uri: `case/${row.id}`,
  creation: iso(row.createdAt),
  label: row.label,
  hidden: row.hidden,
  revisionIdentifier: row.revisionId,
  editedAt: unixSeconds(row.editedAt),
  creatorIdentifier: row.creatorId,
  creatorNames: row.creatorName ?? '',
  creatorAvatar: avatarPath(row.creatorId),
  ...lockState(row),
});

function toCells(row: Case) {
  const shown = toCase(row);
  return csvHeader.map((column) => shown[column]);
}
