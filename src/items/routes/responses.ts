import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag, ifMatch, isUnchanged, notModified } from '../../http/etag.ts';
import { instant, itemIdentifier } from '../../http/fields.ts';
import { includeLock } from '../../http/lists/query.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { body, chosenIdentifier, identifier, query, text } from '../../http/validation.ts';
import { givenExample, type SingleResponse, single, singleExample, toSingle } from '../response-shapes.ts';
import { createResponse, readResponse, updateResponse } from '../responses.ts';
import { setAsideReason } from '../set-aside-shapes.ts';

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
      'When the response was given, for a phone that was offline: at most 30 days ago, and not before the caller joined the study or downloaded the survey. Up to five minutes ahead counts as now. Now, when omitted.',
  }),
  clock: instant.optional().meta({
    description:
      "The phone's own time as it sends the request. It moves `at` by its difference to the service's clock, so that a phone with a wrong clock loses no answer.",
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
/** The answer to one that has no place any more. */
const asideAnswer = z.strictObject({ setAside: setAsideReason }).meta({ id: 'SetAside' });

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
        'With an `identifier` the request may be repeated safely. Reminders and compliance go by the time at which the response was given (`at`). A locked case takes no new response, nor does an archived case, survey or study. An answer whose `at` is before the items of the survey last changed is stored as it is, as `outdated`. One that was right when it was given and has no place any more, because the survey or the study was archived or deleted, the case archived, deleted or hidden, or the caller removed from the study since, is set aside for owners and editors: 202.',
      request: { case: examples.case.identifier, ...givenExample },
      answers: {
        201: json('The response.', single, singleExample, ['ETag']),
        200: json('The same response was given before.', single, singleExample, ['ETag']),
        202: json('The answer is set aside: owners and editors place or discard it.', asideAnswer, {
          setAside: 'survey-archived',
        }),
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
      const answer = await createResponse(contextOf(c), survey, c.req.valid('json'));
      if ('setAside' in answer) {
        const accepted: z.input<typeof asideAnswer> = { setAside: answer.setAside };
        return c.json(accepted, 202);
      }
      const { response, created } = answer;
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
      const isCurrent = isUnchanged(c, response) && !response.isRegrouped;
      return isCurrent ? notModified(c, headers) : c.json(toSingle(response), 200, headers);
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
