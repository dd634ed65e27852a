import { Hono } from 'hono';
import * as z from 'zod';
import { invalidParameter } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { date, memberCode } from '../../http/fields.ts';
import { cursor } from '../../http/lists/paging.ts';
import { choices, labels, listQuery, mark, property } from '../../http/lists/query.ts';
import { listResponse, wantsCsv } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { identifier, query } from '../../http/validation.ts';
import { answerColumns } from '../../items/answer-column-shapes.ts';
import { readChoiceValues } from '../../items/choice-values.ts';
import { createMeanings } from '../../items/meanings.ts';
import { recordExport } from '../../log/recorded-downloads.ts';
import type { Property } from '../../permissions/groups.ts';
import type { OccurrenceKey } from '../occurrence-pages.ts';
import {
  csvColumns,
  csvOf,
  exampleOccurrences,
  occurrencesBody,
  toOccurrence,
} from '../occurrence-shapes.ts';
import { countOccurrences, keyOfOccurrence, listOccurrences, type Occurrence } from '../occurrences.ts';

const filterQuery = z.strictObject({
  from: date.optional().meta({ description: 'The first date, as `on` has it.' }),
  to: date.optional().meta({ description: 'The last date.' }),
  survey: identifier.optional().meta({ description: 'Only occurrences of this survey, with its answers.' }),
  user: identifier.optional().meta({ description: 'Only this member, present or former.' }),
  code: memberCode.optional().meta({ description: 'Only the member with this code, or nobody.' }),
  property,
  labels,
  choices,
  mark,
  limit: listQuery.limit,
  cursor: cursor(z.tuple([identifier, z.number().int().min(0), z.string()])).optional(),
});

export const occurrences = new Hono<Env>().get(
  '/investigation/:id/occurrences',
  documented({
    id: 'listOccurrences',
    tag: 'Compliance',
    summary: 'Lists the settled occurrences of the participants of a study, with their answers',
    description:
      'For owners, editors and monitors. One row for each occurrence that was sent, failed or was skipped, answered or not: those that compliance counts, of everybody who has taken part, former members too, until 400 days after they were due. Everything at once, streamed, or in pages of at most about a million characters; a page with a filter may have fewer rows than `limit` though more follow. With `survey` each row has the answers of its response: as CSV a column for each item of the survey, and `other` with the answers to removed items. The activity log has a download as `data.exported`: of CSV, and of a list longer than a page may be. With `Accept: application/x-ndjson` each line is a row in JSON.',
    answers: {
      200: {
        ...json('By user, then by due time, then by identifier.', occurrencesBody, exampleOccurrences, [
          'Link',
          'Vary',
        ]),
        also: shapes.files(
          `${csvColumns.join(',')},items.q1,...,other\r\n`,
          exampleOccurrences.occurrences[0] ?? {},
        ),
      },
    },
    problems: ['csv.too-wide', 'resource.not-found', 'action.forbidden', 'limit.reached'],
  }),
  query(filterQuery),
  async (c) => {
    const { limit, cursor, mark, ...asked } = c.req.valid('query');
    requireFilter(asked);
    const { labels, choices, ...filter } = asked;
    const context = contextOf(c);
    const study = c.req.param('id');
    const { survey } = filter;
    const readsItems = survey !== undefined && wantsCsv(c);
    const meanings = labels ? createMeanings(context, study) : undefined;
    let columns: ReturnType<typeof answerColumns> | undefined;
    let end: OccurrenceKey | undefined;
    let known: readonly Property[] = [];
    return listResponse(
      c,
      { limit, cursor, mark },
      {
        read: async (after, size) => {
          const withItems = readsItems && after === cursor;
          const withDeclared = wantsCsv(c) && after === cursor;
          const page = await listOccurrences(context, study, {
            ...filter,
            after,
            limit: size,
            withItems,
            withDeclared,
          });
          if (withDeclared) known = page.known;
          if (withItems)
            columns = answerColumns(page.items, choices && (await readChoiceValues(context, study, survey)));
          end = page.end;
          const rows = columns ? page.rows.map(columns.widened) : page.rows;
          return meanings ? meanings.label(rows, answersOf) : rows;
        },
        key: keyOfOccurrence,
        end: () => end,
        head: () => ({ investigation: `investigation/${study}` }),
        name: 'occurrences',
        json: (row) => toOccurrence(row, survey !== undefined),
        download: ({ format, rows }) => {
          const { code, ...named } = asked;
          const count = rows === undefined ? countOccurrences(context, study, filter) : () => rows;
          return recordExport(contextOf(c), study, {
            data: 'occurrences',
            format,
            filter: named,
            code,
            count,
          });
        },
        csv: () => csvOf(known, columns),
      },
    );
  },
);

/** Of a missed one nothing. */
const answersOf = ({ response, isEdited, survey, items, givenAt, revisedAt }: Occurrence) => ({
  edited: isEdited ? response : null,
  survey,
  items: items ?? {},
  givenAt: givenAt ?? 0,
  revisedAt: revisedAt ?? 0,
});

/** @throws request.invalid */
function requireFilter({ from, to, user, code, survey, labels, choices }: z.output<typeof filterQuery>) {
  if (user !== undefined && code !== undefined)
    throw invalidParameter('code', 'Expected no `code` beside `user`.');
  if (from !== undefined && to !== undefined && from > to)
    throw invalidParameter('from', 'Expected `from` not to be after `to`.');
  for (const [name, given] of Object.entries({ labels, choices }))
    if (given && survey === undefined)
      throw invalidParameter(name, `Expected \`survey\` beside \`${name}\`: only then are there answers.`);
}
