import { Hono } from 'hono';
import * as z from 'zod';
import { invalidParameter, Problem } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { lockCells, lockColumns, memberCode } from '../../http/fields.ts';
import { groupColumns } from '../../http/lists/group-columns.ts';
import { choices, includeLock, labels, listQuery, property } from '../../http/lists/query.ts';
import { listResponse, wantsCsv } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { identifier, query } from '../../http/validation.ts';
import { recordExport } from '../../log/recorded-downloads.ts';
import { answerColumns, jsonCell } from '../answer-column-shapes.ts';
import { type ChoiceValues, readChoiceValues } from '../choice-values.ts';
import { createMeanings, type Labels } from '../meanings.ts';
import { countResponses, type ListedRow, listResponses } from '../response-list.ts';
import {
  listedResponseExample as example,
  type ListedResponse,
  listedResponse as listed,
  toListed,
} from '../response-shapes.ts';

const filterQuery = z.strictObject({
  ...listQuery,
  property,
  include: includeLock,
  labels,
  choices,
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
      'In order of creation; everything at once, streamed, or in pages of at most about a million characters. An editor or monitor who sees a part of the study gets that part; its pages, and those of a list by `property`, look at no more than 5,000 responses: they may be short, even empty, and have a `next`. As CSV, each property of the study is a column, `property.<name>`, and items are columns: with `survey` those of that survey, otherwise those of the whole study, at most 500. The activity log has a download by owners, editors and monitors as `data.exported`: of CSV, and of a list longer than a page may be. With `Accept: application/x-ndjson` each line is a row in JSON.',
    answers: {
      200: {
        ...json(
          'The responses that the caller may see.',
          listBody,
          { investigation: `investigation/${examples.study.identifier}`, responses: [example] },
          ['Link', 'Vary'],
        ),
        also: shapes.files('identifier,creation,case,caseLabel,...,items.q1,other,reasons\r\n', example),
      },
    },
    problems: ['csv.too-wide', 'resource.not-found', 'action.forbidden', 'limit.reached'],
  }),
  query(filterQuery),
  async (c) => {
    const { limit, cursor, mark, ...asked } = c.req.valid('query');
    const { include, labels, choices, property: properties, ...named } = asked;
    const filter = { ...named, properties };
    if (choices && filter.survey === undefined)
      throw invalidParameter(
        'choices',
        'Expected `survey` beside `choices`: values are columns of one survey.',
      );
    const withLock = include === 'lock';
    const context = contextOf(c);
    const study = c.req.param('id');
    const isCsv = wantsCsv(c);
    const maxItems = filter.survey === undefined ? maxColumns : undefined;
    const meanings = labels ? createMeanings(context, study) : undefined;
    let [columns, groups, end] = [
      answerColumns([]),
      groupColumns([]),
      undefined as [number, string] | undefined,
    ];
    return listResponse(
      c,
      { limit, cursor, mark },
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
          const { rows, items, ...found } = await listResponses(context, study, page);
          end = found.end;
          if (withItems) {
            groups = groupColumns(found.columns);
            const { survey } = filter;
            const values =
              choices && survey !== undefined && items.length > 0
                ? await readChoiceValues(context, study, survey)
                : undefined;
            columns = columnsOf(items, maxItems, values);
          }
          const wide = isCsv ? rows.map(columns.widened) : rows;
          return meanings ? meanings.label(wide, answersOf) : wide;
        },
        key: (row): [number, string] => [row.createdAt, row.id],
        end: () => end,
        head: () => ({ investigation: `investigation/${study}` }),
        name: 'responses',
        json: toListed,
        download: ({ format, rows }) => {
          const count = rows === undefined ? countResponses(context, study, filter) : () => rows;
          const { code, ...named } = asked;
          const download = { data: 'responses' as const, format, filter: named, code, count };
          return recordExport(contextOf(c), study, download);
        },
        csv: () => csvOf(columns, groups, withLock),
      },
    );
  },
);

const answersOf = ({ id, surveyId, items, givenAt, createdAt, revisedAt }: ListedRow) => ({
  edited: revisedAt > createdAt ? id : null,
  survey: surveyId,
  items,
  givenAt: givenAt ?? createdAt,
  revisedAt,
});

/** Each item of the study is a column, and each response a line of that width. */
const maxColumns = 500;

/** @throws csv.too-wide */
function columnsOf(items: string[], max = items.length, choices?: ChoiceValues) {
  if (items.length > max)
    throw new Problem(
      'csv.too-wide',
      `The study has more than ${max} items, and each is a column: expected one survey at a time, with survey=.`,
      { errors: [{ parameter: 'survey', detail: 'Expected the identifier of a survey.' }] },
    );
  return answerColumns(items, choices);
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
function csvOf(
  columns: ReturnType<typeof answerColumns>,
  groups: ReturnType<typeof groupColumns>,
  withLock: boolean,
) {
  return {
    header: [...csvColumns, ...groups.header, ...(withLock ? lockColumns : []), ...columns.header, 'reasons'],
    row: (response: ListedRow & { labels?: Labels }) => {
      const { caseLabel, surveyName } = response;
      const { creation, ...listed } = toListed(response);
      const given = { creation, givenAt: listed.givenAt ?? creation, receivedAt: creation };
      const shown = { ...listed, ...given, caseLabel, surveyName };
      return [
        ...csvColumns.map((column) => shown[column]),
        ...groups.cells(response),
        ...(withLock ? lockCells(response) : []),
        ...columns.cells(response.items, response.labels),
        jsonCell(response.reasons),
      ];
    },
  };
}
