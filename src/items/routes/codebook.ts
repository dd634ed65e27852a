import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { cursor } from '../../http/lists/paging.ts';
import { listQuery, mark } from '../../http/lists/query.ts';
import { listResponse } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { files } from '../../http/openapi/shapes.ts';
import { identifier, query } from '../../http/validation.ts';
import { type CodebookKey, listCodebook } from '../codebook.ts';
import { codebookCsv, codebookExample, codebook as listBody, toCodebookItem } from '../codebook-shapes.ts';

const key = z.tuple([z.int(), identifier, z.int(), z.int()]);

/** Everything that the surveys of a study have asked. */
export const codebook = new Hono<Env>().get(
  '/investigation/:id/codebook',
  documented({
    id: 'listCodebook',
    tag: 'Surveys',
    summary: 'Lists every item that the surveys of a study have had',
    description:
      'For owners, editors and monitors. A row for each item and each time in which its definition was the same, by survey, then by time, then in the order of the survey; archived surveys, too. Everything at once, streamed, or in pages of at most about a million characters. In CSV, `options` is JSON. With `Accept: application/x-ndjson` each line is a row in JSON. It has no data of participants, so that the activity log does not mention it.',
    answers: {
      200: {
        ...json(
          'The items, as of each revision of their survey.',
          listBody,
          { investigation: `investigation/${examples.study.identifier}`, items: [codebookExample] },
          ['Link', 'Vary'],
        ),
        also: files(`${codebookCsv.header.join(',')}\r\n`, codebookExample),
      },
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(z.strictObject({ limit: listQuery.limit, cursor: cursor(key).optional(), mark })),
  async (c) => {
    const study = c.req.param('id');
    const context = contextOf(c);
    return listResponse(c, c.req.valid('query'), {
      read: (after: CodebookKey | undefined, limit) => listCodebook(context, study, { after, limit }),
      key: (row): CodebookKey => [row.surveyCreatedAt, row.survey, row.since, row.place],
      head: () => ({ investigation: `investigation/${study}` }),
      name: 'items',
      json: toCodebookItem,
      csv: () => codebookCsv,
    });
  },
);
