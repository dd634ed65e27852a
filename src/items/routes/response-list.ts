import { Hono } from 'hono';
import * as z from 'zod';
import { Problem } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { lockCells, lockColumns, memberCode } from '../../http/fields.ts';
import { includeLock, listQuery } from '../../http/lists/query.ts';
import { listResponse, wantsCsv } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { identifier, query } from '../../http/validation.ts';
import { recordExport } from '../../log/recorded-downloads.ts';
import { countResponses, type ListedRow, listResponses } from '../response-list.ts';
import {
  listedResponseExample as example,
  type ListedResponse,
  listedResponse as listed,
  toListed,
} from '../response-shapes.ts';

const filterQuery = z.strictObject({
  ...listQuery,
  include: includeLock,
  case: identifier.optional(),
  survey: identifier.optional(),
  responder: identifier.optional(),
  code: memberCode.optional().meta({ description: 'Only responses of the person with this code.' }),
});

const listBody = z
  .strictObject({
    investigation: shapes.uri('investigation'),
    responses: z.array(listed),
    next: shapes.next,
  })
  .meta({ id: 'Responses' });

export const responseList = new Hono<Env>().get(
  '/investigation/:id/responses',
  documented({
    id: 'listResponses',
    tag: 'Responses',
    summary: 'Lists the responses of a study',
    description:
      'In order of creation; everything at once, streamed, or in pages of at most about a million characters. As CSV, items are columns: with `survey` those of that survey, otherwise those of the whole study, at most 500. The activity log has a download by owners and editors as `data.exported`: of CSV, and of a list longer than a page may be.',
    answers: {
      200: {
        ...json(
          'The responses that the caller may see.',
          listBody,
          { investigation: `investigation/${examples.study.identifier}`, responses: [example] },
          ['Link', 'Vary'],
        ),
        also: shapes.csv('identifier,creation,case,caseLabel,...,items.q1,other,reasons\r\n'),
      },
    },
    problems: ['csv.too-wide', 'resource.not-found', 'action.forbidden', 'limit.reached'],
  }),
  query(filterQuery),
  async (c) => {
    const { limit, cursor, ...asked } = c.req.valid('query');
    const { include, ...filter } = asked;
    const withLock = include === 'lock';
    const context = contextOf(c);
    const study = c.req.param('id');
    const isCsv = wantsCsv(c);
    const maxItems = filter.survey === undefined ? maxColumns : undefined;
    let columns: string[] = [];
    return listResponse(
      c,
      { limit, cursor },
      {
        read: async (after, size) => {
          const withItems = isCsv && after === cursor;
          const page = {
            ...filter,
            withLock,
            after,
            limit: size,
            isTable: isCsv,
            withItems: withItems && { maxItems },
          };
          const { rows, items } = await listResponses(context, study, page);
          if (withItems) columns = columnsOf(items, maxItems);
          return rows;
        },
        key: (row): [number, string] => [row.createdAt, row.id],
        head: () => ({ investigation: `investigation/${study}` }),
        name: 'responses',
        json: toListed,
        download: ({ format, rows }) => {
          const count = rows === undefined ? countResponses(context, study, filter) : () => rows;
          const { code, ...named } = asked;
          const download = { data: 'responses' as const, format, filter: named, code, count };
          return recordExport(contextOf(c), study, download);
        },
        csv: () => csvOf(columns, withLock),
      },
    );
  },
);

/** Each item of the study is a column, and each response a line of that width. */
const maxColumns = 500;

/** @throws csv.too-wide */
function columnsOf(items: string[], max = items.length) {
  if (items.length > max)
    throw new Problem(
      'csv.too-wide',
      `The study has more than ${max} items, and each is a column: expected one survey at a time, with survey=.`,
      { errors: [{ parameter: 'survey', detail: 'Expected the identifier of a survey.' }] },
    );
  return items;
}

const csvColumns = [
  'identifier',
  'creation',
  'case',
  'caseLabel',
  'responder',
  'name',
  'survey',
  'surveyName',
  'lockedAt',
  'status',
  'revisionUNIX',
  'revisionIdentifier',
  'givenAt',
  'receivedAt',
  'code',
  'notification',
  'late',
  'outdated',
] as const satisfies (keyof ListedResponse | 'caseLabel' | 'surveyName')[];

/** A column for each item of the study's surveys; answers to removed items go into `other`. */
function csvOf(items: string[], withLock: boolean) {
  const known = new Set(items);
  return {
    header: [
      ...csvColumns,
      ...(withLock ? lockColumns : []),
      ...items.map((item) => `items.${item}`),
      'other',
      'reasons',
    ],
    row: (response: ListedRow) => {
      const { caseLabel, surveyName } = response;
      const { creation, ...listed } = toListed(response);
      const given = { creation, givenAt: listed.givenAt ?? creation, receivedAt: creation };
      const shown = { ...listed, ...given, caseLabel, surveyName };
      const answers = new Map(Object.entries(response.items));
      const other = [...answers].filter(([item]) => !known.has(item));
      return [
        ...csvColumns.map((column) => shown[column]),
        ...(withLock ? lockCells(response) : []),
        ...items.map((item) => answerCell(answers.get(item))),
        jsonCell(Object.fromEntries(other)),
        jsonCell(response.reasons),
      ];
    },
  };
}

/** A negative number is no formula, and stays as it was given. Beyond 15 digits a spreadsheet would lose some. */
const answerCell = (answer: string | undefined) =>
  answer !== undefined && negative.test(answer) && answer.length <= 16 ? { number: answer } : answer;

const negative = /^-[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

const jsonCell = (map: object) => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');
