import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag } from '../../http/etag.ts';
import type { Cell } from '../../http/lists/csv.ts';
import { groupColumns } from '../../http/lists/group-columns.ts';
import { createdCursor, listQuery, mark, property } from '../../http/lists/query.ts';
import { listResponse, wantsCsv } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { body, identifier, query, text } from '../../http/validation.ts';
import { recordExport } from '../../log/recorded-downloads.ts';
import { discardAnswer, placeAnswer } from '../place-set-aside.ts';
import { single, singleExample, toSingle } from '../response-shapes.ts';
import { countSetAsides, type ListedSetAside, listSetAsides } from '../set-aside-list.ts';
import { setAside, setAsideExample, toSetAside } from '../set-aside-shapes.ts';

const tag = 'Responses';

const listBody = z
  .strictObject({
    investigation: shapes.uri('investigation'),
    setAside: z.array(setAside),
    next: shapes.next,
  })
  .meta({ id: 'AnswersSetAside' });

const placeBody = z.strictObject({
  case: identifier.meta({ description: 'An open case of the study, which need not be the one asked for.' }),
});
const discardBody = z.strictObject({ reason: text(1, 500).optional() });

/** Answers that were right when they were given and have no place any more. */
export const setAsides = new Hono<Env>()
  .get(
    '/investigation/:id/set-aside',
    documented({
      id: 'listSetAside',
      tag,
      summary: 'Lists the answers of a study that are set aside',
      description:
        'Answers that were right when they were given, and have no place any more when they arrive. They wait until an owner or editor places or discards them, and are no responses: no other list has them. In order of receipt; everything at once, streamed, or in pages of at most about a million characters. An editor or monitor who sees a part of the study gets the answers of people in it; pages of a part, and those by `property`, may be short, even empty, and have a `next`. Downloads are logged as those of responses are.',
      answers: {
        200: {
          ...json(
            'Those that wait.',
            listBody,
            { investigation: `investigation/${examples.study.identifier}`, setAside: [setAsideExample] },
            ['Link', 'Vary'],
          ),
          also: shapes.files('identifier,reason,survey,surveyName,case,...\r\n', setAsideExample),
        },
      },
      problems: ['resource.not-found', 'action.forbidden', 'limit.reached'],
    }),
    query(z.strictObject({ limit: listQuery.limit, cursor: createdCursor.optional(), property, mark })),
    async (c) => {
      const study = c.req.param('id');
      const context = contextOf(c);
      const { property: properties, ...asked } = c.req.valid('query');
      const filter = properties ? { property: properties } : {};
      const isCsv = wantsCsv(c);
      let [columns, end] = [groupColumns([]), undefined as [number, string] | undefined];
      return listResponse(c, asked, {
        read: async (after, limit) => {
          const isTable = isCsv && after === asked.cursor;
          const page = await listSetAsides(context, study, { after, limit, properties, isTable });
          if (isTable) columns = groupColumns(page.columns);
          end = page.end;
          return page.rows;
        },
        key: (row): [number, string] => [row.createdAt, row.id],
        end: () => end,
        head: () => ({ investigation: `investigation/${study}` }),
        name: 'setAside',
        json: toSetAside,
        download: ({ format, rows }) => {
          const count = rows === undefined ? countSetAsides(context, study, { properties }) : () => rows;
          return recordExport(contextOf(c), study, { data: 'set-aside', format, filter, count });
        },
        csv: () => ({
          header: [...csvColumns, ...columns.header, 'items', 'reasons'],
          row: (row) => toCells(row, columns.cells(row)),
        }),
      });
    },
  )
  .post(
    '/set-aside/:id/place',
    documented({
      id: 'placeAnswer',
      tag,
      summary: 'Makes a response of an answer that is set aside',
      description:
        'For owners and editors. The response keeps the identifier, the person, the times and the reminder of the answer. Its survey may be archived; the case has to be open, and the study neither archived nor frozen. An entry of the log, `answer.placed`. A repeat answers 200.',
      request: { case: examples.case.identifier },
      answers: {
        201: json('The response.', single, singleExample, ['ETag']),
        200: json('The answer was placed there before.', single, singleExample, ['ETag']),
      },
      problems: [
        'resource.not-found',
        'items.not-found',
        'action.forbidden',
        'item.archived',
        'study.archived',
        'limit.reached',
        'item.locked',
        'study.frozen',
      ],
    }),
    body(placeBody),
    async (c) => {
      const { case: into } = c.req.valid('json');
      const { response, created } = await placeAnswer(contextOf(c), c.req.param('id'), into);
      const status = statusOf(c, { created, location: `/response/${response.id}` });
      return c.json(toSingle(response), status, { etag: etag(response.revisionId) });
    },
  )
  .post(
    '/set-aside/:id/discard',
    documented({
      id: 'discardAnswer',
      tag,
      summary: 'Discards an answer that is set aside, for good',
      description:
        'For owners and editors. Its content is deleted at once; an entry of the log, `answer.discarded`, keeps who did it, and the reason.',
      request: { reason: 'The pilot is over.' },
      answers: shapes.nothing('The answer is discarded.'),
      problems: ['resource.not-found', 'action.forbidden', 'limit.reached', 'study.frozen'],
    }),
    body(discardBody),
    async (c) => {
      await discardAnswer(contextOf(c), c.req.param('id'), c.req.valid('json').reason);
      return c.body(null, 204);
    },
  );

const csvColumns = [
  'identifier',
  'reason',
  'survey',
  'surveyName',
  'case',
  'caseLabel',
  'responder',
  'name',
  'code',
  'givenAt',
  'receivedAt',
  'notification',
  'late',
  'outdated',
] as const;

function toCells(row: ListedSetAside, groups: Cell[]) {
  const shown = toSetAside(row);
  return [
    ...csvColumns.map((column) => shown[column]),
    ...groups,
    JSON.stringify(shown.items),
    JSON.stringify(shown.reasons),
  ];
}
