import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, avatar, csv, id, lockRule, lockState, next, unix, uri } from '../../http/openapi/shapes.ts';

const tag = 'Responses';
const answers = z
  .record(z.string(), z.string())
  .meta({ description: 'From item to answer; an empty text is no answer.', examples: [{ q1: 'well' }] });
const reasons = z.record(z.string(), z.int32()).meta({ examples: [{ q2: 1 }] });

/** The list form of the interface. */
const listed = z
  .strictObject({
    uri: uri('response'),
    identifier: id,
    b64Identifier: z.base64().meta({ description: 'The same 16 bytes.' }),
    creation: at,
    case: id,
    responder: id,
    name: z.string(),
    avatar,
    items: answers,
    reasons,
    survey: id,
    ...lockState,
    revisionUNIX: unix,
    revisionIdentifier: id,
  })
  .meta({ id: 'ListedResponse', ...lockRule });

/** The single form of the interface. */
const single = z
  .strictObject({
    uri: uri('/response'),
    survey: uri('/survey'),
    responder: uri('/user'),
    case: uri('case'),
    items: answers,
    reasons,
    revisionDate: unix,
    ...lockState,
  })
  .meta({ id: 'Response', ...lockRule });

const responseList = z
  .strictObject({ investigation: uri('investigation'), responses: z.array(listed), next })
  .meta({ id: 'Responses' });

const revision = z
  .strictObject({ identifier: id, revisionDate: unix, author: id, items: answers, reasons })
  .meta({ id: 'Revision' });

const revisionList = z
  .strictObject({ response: uri('/response'), revisions: z.array(revision), next })
  .meta({ id: 'Revisions' });

const one = (description: string) => ({ description, schema: single, headers: ['ETag' as const] });

export const list = documented({
  id: 'listResponses',
  tag,
  summary: 'Lists the responses of a study',
  description: 'In order of creation; everything at once, streamed, or in pages. As CSV, items are columns.',
  answers: {
    200: {
      description: 'Those that the caller may see.',
      schema: responseList,
      also: csv('identifier,creation,case,...,items.q1,other,reasons\r\n'),
      headers: ['Link', 'Vary'],
    },
  },
  problems: ['resource.not-found'],
});

export const create = documented({
  id: 'createResponse',
  tag,
  summary: 'Answers a survey for a case',
  description: 'With an `identifier` it may be repeated safely. A locked case takes no new response.',
  request: { case: '0198c1a4f3b27d3c9a51e07c4d2b8f60', items: { q1: 'well', q2: '' }, reasons: { q2: 1 } },
  answers: { 201: one('The response.'), 200: one('The same response was given before.') },
  problems: ['resource.not-found', 'items.not-found', 'identifier.taken', 'item.locked'],
});

export const read = documented({
  id: 'readResponse',
  tag,
  summary: 'Reads a response',
  answers: { 200: one('The response.') },
  problems: ['resource.not-found'],
});

export const update = documented({
  id: 'updateResponse',
  tag,
  summary: 'Changes a response',
  description: 'A JSON merge patch over each map: null removes a key. Makes a new revision.',
  ifMatch: true,
  request: { items: { q1: 'badly', q2: null } },
  answers: { 200: one('The response as it is now.') },
  problems: ['resource.not-found', 'action.forbidden', 'item.locked', 'revision.stale'],
});

export const revisions = documented({
  id: 'listRevisions',
  tag,
  summary: 'Lists the revisions of a response',
  answers: { 200: { description: 'Newest first.', schema: revisionList, headers: ['Link'] } },
  problems: ['resource.not-found'],
});
