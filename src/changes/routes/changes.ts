import { Hono } from 'hono';
import * as z from 'zod';
import { firstSlice } from '../../breathe.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { etag, isKnown, notModified } from '../../http/etag.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, uri } from '../../http/openapi/shapes.ts';
import { bounded, count, query } from '../../http/validation.ts';
import { caseBody, caseExample, toCase } from '../../items/case-shapes.ts';
import { listedResponse, toListed } from '../../items/response-shapes.ts';
import { investigation, toInvestigation } from '../../studies/investigation-shapes.ts';
import { member, toMember } from '../../studies/member-shapes.ts';
import { survey, toSurvey } from '../../studies/survey-shapes.ts';
import { type Change, listChanges, readLatest } from '../changes.ts';
import { recordCopy } from '../copies.ts';

const expectedAfter = 'Expected a sequence: a whole number from 0.';
const changesQuery = z.strictObject({
  after: bounded(16, expectedAfter)
    .regex(/^[0-9]{1,16}$/, expectedAfter)
    .transform(Number)
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      default: 0,
      description: '`next` of the previous answer; 0 for a new copy.',
    }),
  limit: count(1000, 500),
  include: z
    .enum(['body'], { error: 'Expected body, or no include.' })
    .optional()
    .meta({ description: '`body`: each change brings the thing, in the form of its list.' }),
});

const sequence = z
  .int()
  .meta({ description: 'The order of changes within the study: a later change has a higher sequence.' });
const changed = {
  sequence,
  identifier: id.meta({ description: 'Of the changed thing; for a member, of the user.' }),
  state: z.enum(['active', 'locked', 'archived', 'deleted', 'removed']).meta({
    description:
      'A locked item may be archived as well; a frozen study is `locked`. Items are deleted, members removed.',
  }),
  at,
  revision: id.optional().meta({ description: 'The revision; members have none.' }),
};
const changeOf = <K extends Change['kind'], B extends z.ZodType>(kind: K, body: B) =>
  z.strictObject({
    ...changed,
    kind: z.literal(kind),
    body: body
      .nullable()
      .optional()
      .meta({ description: 'With `include=body`; null for deleted things and removed members.' }),
  });
const change = z
  .discriminatedUnion('kind', [
    changeOf('study', investigation),
    changeOf('case', caseBody),
    changeOf('response', listedResponse),
    changeOf('survey', survey),
    changeOf('member', member),
  ])
  .meta({ id: 'Change' });
const changeList = z
  .strictObject({
    investigation: uri('investigation'),
    changes: z.array(change),
    next: z.int().meta({
      description:
        '`after` of the next request: the sequence of the last change; for those who see a part of the study a number of their own.',
    }),
    latest: z.int().meta({
      description:
        'The latest sequence of the study, counted as `next` is: as `next` reaches it the copy is complete.',
    }),
  })
  .meta({ id: 'Changes' });

const example: z.input<typeof changeList> = {
  investigation: `investigation/${examples.study.identifier}`,
  changes: [
    {
      sequence: 41,
      kind: 'case',
      identifier: examples.case.identifier,
      state: 'active',
      at: caseExample.creation,
      revision: caseExample.revisionIdentifier,
      body: caseExample,
    },
  ],
  next: 41,
  latest: 57,
};

export const changes = new Hono<Env>().get(
  '/investigation/:id/changes',
  documented({
    id: 'listChanges',
    tag: 'Changes',
    summary: 'Lists the changes of a study',
    description:
      'For owners, editors and monitors: the latest change of each case, response, survey and member, and of the study itself, in order. A reader that keeps `next` and asks again misses nothing; deleted things stay in the list. Pages have at most about a million characters. A copy that begins is an entry of the activity log, `data.exported`: with `include=body`, a page whose `after` is more than 1,000 changes behind `latest`, or before half of it. Its later pages are none. An editor or monitor who sees a part of the study gets the changes in that part, in pages that may be short, even empty, before `next` is `latest`; their `next` and `latest` are numbers of their own. As that part changes, an earlier `next` is refused, and the copy begins again with 0. In a study with a blinded property only owners read the feed.',
    cached: true,
    answers: { 200: json('Changes after a sequence.', changeList, example, ['ETag']) },
    problems: ['resource.not-found', 'action.forbidden', 'limit.reached'],
  }),
  query(changesQuery),
  async (c) => {
    const { after, limit, include } = c.req.valid('query');
    const study = c.req.param('id');
    const context = contextOf(c);
    if (c.req.header('if-none-match') !== undefined) {
      const known = await readLatest(context, study);
      if (isKnown(c, String(known))) return notModified(c, { etag: etag(String(known)) });
    }
    const withBody = include === 'body';
    await firstSlice();
    const { changes, next, latest, read } = await listChanges(context, study, { after, limit, withBody });
    if (withBody && c.req.method !== 'HEAD') await recordCopy(contextOf(c), study, read);
    const answer: z.input<typeof changeList> = {
      investigation: `investigation/${study}`,
      changes: changes.map((row) => toChange(row, withBody)),
      next,
      latest,
    };
    return c.json(answer, 200, { etag: etag(String(latest)) });
  },
);

const toChange = (row: Change, withBody: boolean) =>
  ({
    sequence: row.sequence,
    kind: row.kind,
    identifier: row.identifier,
    state: row.state,
    at: iso(row.at),
    ...(row.revisionId !== null && { revision: row.revisionId }),
    ...(withBody && { body: row.body === null ? null : bodyOf(row) }),
  }) as z.input<typeof change>;

function bodyOf(row: Change) {
  if (row.body === null) return null;
  switch (row.kind) {
    case 'study':
      return toInvestigation(row.body);
    case 'case':
      return toCase(row.body);
    case 'response':
      return toListed(row.body);
    case 'survey':
      return toSurvey(row.body);
    case 'member':
      return toMember(row.body);
  }
}
