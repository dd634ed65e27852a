import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag, ifMatch, isUnchanged, notModified } from '../../http/etag.ts';
import { givenProperties, lockCells, lockColumns, ownProperties, propertyValue } from '../../http/fields.ts';
import { groupColumns } from '../../http/lists/group-columns.ts';
import { includeLock, listQuery, property } from '../../http/lists/query.ts';
import { listResponse, wantsCsv } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { body, chosenIdentifier, query, text } from '../../http/validation.ts';
import { recordExport } from '../../log/recorded-downloads.ts';
import { caseBody, type ListedCase, caseExample as night, toCase } from '../case-shapes.ts';
import { type Case, countCases, createCase, listCases, readCase, updateCase } from '../cases.ts';

const tag = 'Cases';

const label = text(1, 500);
const hidden = z.boolean({ error: 'Expected true or false.' });
const createBody = z.strictObject({
  label: label.optional().meta({
    description:
      "Omitted: the caller's code in the study, else `Participant` and their number in it. It holds no name, which would stay when the person deletes their account.",
  }),
  hidden: hidden.default(false),
  identifier: chosenIdentifier.optional(),
  properties: givenProperties.optional().meta({
    description:
      "By owners and editors: values of the properties that the study declares. A participant's case has those of their membership. Of an editor who sees a part of the study, a property by which they see it is filled in if it has one value there.",
  }),
});
const updateBody = z
  .strictObject({
    label,
    hidden,
    properties: ownProperties(propertyValue.nullable()).meta({
      description:
        'By owners and editors: a JSON merge patch, null takes a property away. An editor who sees a part of the study changes no property by which they see it.',
      examples: [{ site: 'lyon' }],
    }),
  })
  .partial();

const caseList = z
  .strictObject({ uri: shapes.uri('investigation'), cases: z.array(caseBody), next: shapes.next })
  .meta({ id: 'Cases' });

const renamed: ListedCase = {
  ...night,
  label: 'Night one',
  revisionIdentifier: '01a4051c39007d0f9b6f0e4d1a2c8357',
  editedAt: 1803972000,
};

export const cases = new Hono<Env>()
  .get(
    '/investigation/:id/cases',
    documented({
      id: 'listCases',
      tag,
      summary: 'Lists the cases of a study',
      description:
        'In order of creation; everything at once, streamed, or in pages of at most about a million characters. An editor or monitor who sees a part of the study gets that part; its pages, and those of a list by `property`, look at no more than 5,000 cases: they may be short, even empty, and have a `next`. As CSV, each property of the study is a column, `property.<name>`. The activity log has a download by owners, editors and monitors as `data.exported`: of CSV, and of a list longer than a page may be. With `Accept: application/x-ndjson` each line is a row in JSON.',
      answers: {
        200: {
          ...json(
            'The cases that the caller may see.',
            caseList,
            { uri: `investigation/${examples.study.identifier}`, cases: [night] },
            ['Link', 'Vary'],
          ),
          also: shapes.files('identifier,creation,label,...\r\n', night),
        },
      },
      problems: ['resource.not-found', 'action.forbidden', 'limit.reached'],
    }),
    query(z.strictObject({ ...listQuery, property, include: includeLock })),
    async (c) => {
      const { limit, cursor, mark, ...asked } = c.req.valid('query');
      const { include, property: properties, ...named } = asked;
      const filter = { ...named, properties };
      const withLock = include === 'lock';
      const context = contextOf(c);
      const study = c.req.param('id');
      const isCsv = wantsCsv(c);
      let [columns, end] = [groupColumns([]), undefined as [number, string] | undefined];
      return listResponse(
        c,
        { limit, cursor, mark },
        {
          read: async (after, size) => {
            const isTable = isCsv && after === cursor;
            const page = await listCases(context, study, {
              ...filter,
              withLock,
              after,
              limit: size,
              isTable,
            });
            if (isTable) columns = groupColumns(page.columns);
            end = page.end;
            return page.rows;
          },
          key: (row): [number, string] => [row.createdAt, row.id],
          end: () => end,
          head: () => ({ uri: `investigation/${study}` }),
          name: 'cases',
          json: toCase,
          download: ({ format, rows }) => {
            const count = rows === undefined ? countCases(context, study, filter) : () => rows;
            return recordExport(contextOf(c), study, { data: 'cases', format, filter: asked, count });
          },
          csv: () => ({
            header: [...csvColumns, ...columns.header, ...(withLock ? lockColumns : [])],
            row: (row) => [...toCells(row), ...columns.cells(row), ...(withLock ? lockCells(row) : [])],
          }),
        },
      );
    },
  )
  .post(
    '/investigation/:id/case',
    documented({
      id: 'createCase',
      tag,
      summary: 'Creates a case',
      description:
        'With an `identifier` the request may be repeated safely. Only owners and editors create hidden cases.',
      request: { label: examples.case.label },
      answers: {
        201: json('The case.', caseBody, night, ['ETag']),
        200: json('The same case was created before.', caseBody, night, ['ETag']),
      },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'identifier.taken',
        'study.archived',
        'limit.reached',
        'study.frozen',
      ],
    }),
    body(createBody),
    async (c) => {
      const { case: row, created } = await createCase(contextOf(c), c.req.param('id'), c.req.valid('json'));
      const status = statusOf(c, { created, location: `/case/${row.id}` });
      return c.json(toCase(row), status, { etag: etag(row.revisionId) });
    },
  )
  .get(
    '/case/:id',
    documented({
      id: 'readCase',
      tag,
      summary: 'Reads a case',
      answers: { 200: json('The case.', caseBody, night, ['ETag']) },
      problems: ['resource.not-found'],
    }),
    query(z.strictObject({ include: includeLock })),
    async (c) => {
      const withLock = c.req.valid('query').include === 'lock';
      const row = await readCase(contextOf(c), c.req.param('id'), withLock);
      c.set('study', row.investigationId);
      const headers = { etag: etag(row.revisionId) };
      return isCurrentName(row) && isUnchanged(c, row)
        ? notModified(c, headers)
        : c.json(toCase(row), 200, headers);
    },
  )
  .patch(
    '/case/:id',
    documented({
      id: 'updateCase',
      tag,
      summary: 'Changes a case',
      description: 'Only owners and editors hide a case.',
      ifMatch: true,
      request: { label: renamed.label },
      answers: { 200: json('The case as it is now.', caseBody, renamed, ['ETag']) },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'item.locked',
        'item.archived',
        'revision.stale',
        'study.frozen',
        'limit.reached',
      ],
    }),
    body(updateBody),
    async (c) => {
      const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
      const row = await updateCase(contextOf(c), c.req.param('id'), change);
      return c.json(toCase(row), 200, { etag: etag(row.revisionId) });
    },
  );

/** Whether the answer shows the creator's current name, which is not part of the revision. */
const isCurrentName = ({ creatorNamedAt, editedAt }: Case) =>
  creatorNamedAt !== null && creatorNamedAt < editedAt;

const csvColumns = [
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

function toCells(row: Parameters<typeof toCase>[0]) {
  const shown = toCase(row);
  return csvColumns.map((column) => shown[column]);
}
