import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag, ifMatch, isUnchanged, notModified } from '../../http/etag.ts';
import {
  answerState,
  givenState,
  type ItemState,
  instant,
  itemIdentifier,
  lockState,
  unixSeconds,
} from '../../http/fields.ts';
import { includeLock } from '../../http/lists/query.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { body, chosenIdentifier, identifier, query, text } from '../../http/validation.ts';
import { createResponse, type Response, readResponse, updateResponse } from '../responses.ts';

const tag = 'Responses';

const answer = text(0, 64_000);
const reason = z.int32({ error: 'Expected a whole number of 32 bits.' });
const map = <V extends z.ZodType>(value: V, of: string) =>
  z.record(itemIdentifier, value, { error: `Expected a map from item identifier to ${of}.` });
const createBody = z.strictObject({
  case: identifier,
  items: map(answer, 'answer'),
  reasons: map(reason, 'number').default({}),
  identifier: chosenIdentifier.optional(),
  at: instant.optional().meta({
    description:
      'When the response was given, for a phone that was offline: at most 30 days ago, and not before the caller joined the study or downloaded the survey. Now, when omitted.',
  }),
  notification: identifier.optional().meta({
    description:
      'The notification that the response belongs to: one of the caller and the survey that was due when the response was given, or comes within a day. When omitted, the newest that was due, open and without an answer; else, where reminders are `unlessAnswered`, the next one of the local date; else the newest that was due and has no answer; else none.',
  }),
});
const updateBody = z
  .strictObject({
    items: map(answer.nullable(), 'answer'),
    reasons: map(reason.nullable(), 'number'),
    reason: text(1, 500).meta({
      description: 'Why the answers change, in words: kept with the revision that the change makes.',
    }),
  })
  .partial();
/** The single form of the interface. */
const single = z
  .strictObject({
    uri: shapes.uri('/response'),
    survey: shapes.uri('/survey'),
    responder: shapes.uri('/user'),
    case: shapes.uri('case'),
    items: shapes.answers,
    reasons: shapes.reasons,
    revisionDate: shapes.unix,
    ...shapes.givenState,
    ...shapes.answerState,
    ...shapes.lockState,
  })
  .meta({ id: 'Response', ...shapes.lockRule });

type SingleResponse = z.input<typeof single>;

const given = { items: { q1: 'well', q2: '' }, reasons: { q2: 1 } };
const singleExample: SingleResponse = {
  uri: `/response/${examples.response.identifier}`,
  survey: `/survey/${examples.survey.identifier}`,
  responder: `/user/${examples.responder.identifier}`,
  case: `case/${examples.case.identifier}`,
  ...given,
  revisionDate: 1803970938,
  status: 'active',
};
const changedExample: SingleResponse = {
  ...singleExample,
  items: { q1: 'badly' },
  revisionDate: 1803971418,
};

export const responses = new Hono<Env>()
  .post(
    '/survey/:id/response',
    documented({
      id: 'createResponse',
      tag,
      summary: 'Answers a survey for a case',
      description:
        'With an `identifier` the request may be repeated safely. Reminders and compliance go by the time at which the response was given (`at`). A locked case takes no new response, nor does an archived case, survey or study.',
      request: { case: examples.case.identifier, ...given },
      answers: {
        201: json('The response.', single, singleExample, ['ETag']),
        200: json('The same response was given before.', single, singleExample, ['ETag']),
      },
      problems: [
        'resource.not-found',
        'items.not-found',
        'item.archived',
        'study.archived',
        'survey.closed',
        'limit.reached',
        'identifier.taken',
        'item.locked',
        'study.frozen',
      ],
    }),
    body(createBody),
    async (c) => {
      const survey = c.req.param('id');
      const { response, created } = await createResponse(contextOf(c), survey, c.req.valid('json'));
      const status = statusOf(c, { created, location: `/response/${response.id}` });
      return c.json(toSingle(response), status, { etag: etag(response.revisionId) });
    },
  )
  .get(
    '/response/:id',
    documented({
      id: 'readResponse',
      tag,
      summary: 'Reads a response',
      answers: { 200: json('The response.', single, singleExample, ['ETag']) },
      problems: ['resource.not-found'],
    }),
    query(z.strictObject({ include: includeLock })),
    async (c) => {
      const withLock = c.req.valid('query').include === 'lock';
      const response = await readResponse(contextOf(c), c.req.param('id'), withLock);
      c.set('study', response.investigationId);
      const headers = { etag: etag(response.revisionId) };
      return isUnchanged(c, response) ? notModified(c, headers) : c.json(toSingle(response), 200, headers);
    },
  )
  .patch(
    '/response/:id',
    documented({
      id: 'updateResponse',
      tag,
      summary: 'Changes a response',
      description: 'A JSON merge patch over each map: null removes a key. Makes a new revision.',
      ifMatch: true,
      request: { items: { q1: 'badly', q2: null }, reason: 'The two answers were mixed up.' },
      answers: { 200: json('The response as it is now.', single, changedExample, ['ETag']) },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'item.locked',
        'item.archived',
        'limit.reached',
        'revision.stale',
        'study.frozen',
      ],
    }),
    body(updateBody),
    async (c) => {
      const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
      const response = await updateResponse(contextOf(c), c.req.param('id'), change);
      return c.json(toSingle(response), 200, { etag: etag(response.revisionId) });
    },
  );

const toSingle = (row: Response & ItemState): SingleResponse => ({
  uri: `/response/${row.id}`,
  survey: `/survey/${row.surveyId}`,
  responder: `/user/${row.responderId}`,
  case: `case/${row.caseId}`,
  items: row.items,
  reasons: row.reasons,
  revisionDate: unixSeconds(row.revisedAt),
  ...givenState(row),
  ...answerState(row),
  ...lockState(row),
});
