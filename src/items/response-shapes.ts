import * as z from 'zod';
import {
  answerState,
  avatarPath,
  givenState,
  groupState,
  type ItemState,
  iso,
  lockState,
  outdatedState,
  unixSeconds,
} from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import * as shapes from '../http/openapi/shapes.ts';
import { base64Identifier } from '../identifiers.ts';
import { nobody } from '../permissions/shown-people.ts';
import type { Grouped } from './lists.ts';
import type { Response } from './responses.ts';

/** The list form of the interface. */
export const listedResponse = z
  .strictObject({
    uri: shapes.uri('response'),
    identifier: shapes.id,
    b64Identifier: z.base64().meta({ description: 'The same 16 bytes.' }),
    creation: shapes.at,
    case: shapes.id,
    responder: shapes.id.meta({ description: `${nobody}, if the caller does not see them.` }),
    name: z.string(),
    code: shapes.code,
    avatar: shapes.avatar,
    items: shapes.answers,
    labels: shapes.labels,
    reasons: shapes.reasons,
    survey: shapes.id,
    properties: shapes.properties,
    ...shapes.givenState,
    ...shapes.answerState,
    ...shapes.outdatedState,
    ...shapes.lockState,
    revisionUNIX: shapes.unix,
    revisionIdentifier: shapes.id,
  })
  .meta({ id: 'ListedResponse', ...shapes.lockRule });
export type ListedResponse = z.input<typeof listedResponse>;

export const listedResponseExample: ListedResponse = {
  uri: `response/${examples.response.identifier}`,
  identifier: examples.response.identifier,
  b64Identifier: 'AaQFDASQe+CTuoz+Ciwb/g==',
  creation: '2027-03-02T07:02:18.000Z',
  case: examples.case.identifier,
  responder: examples.responder.identifier,
  name: examples.responder.name,
  avatar: avatarPath(examples.responder.identifier),
  items: { q1: 'well', q2: '' },
  reasons: { q2: 1 },
  survey: examples.survey.identifier,
  status: 'active',
  revisionUNIX: 1803970938,
  revisionIdentifier: examples.revision.identifier,
};

type Shown = Omit<Response, 'stateRevision'> &
  Grouped &
  ItemState & { responderName: string | null; code: string | null; labels?: Record<string, string> };

export const toListed = (row: Shown): ListedResponse => ({
  uri: `response/${row.id}`,
  identifier: row.id,
  b64Identifier: base64Identifier(row.id),
  creation: iso(row.createdAt),
  case: row.caseId,
  responder: row.responderId,
  name: row.responderName ?? '',
  ...(row.code !== null && { code: row.code }),
  avatar: avatarPath(row.responderId),
  items: row.items,
  ...(row.labels && { labels: row.labels }),
  reasons: row.reasons,
  survey: row.surveyId,
  ...groupState(row),
  ...givenState(row),
  ...answerState(row),
  ...outdatedState(row),
  ...lockState(row),
  revisionUNIX: unixSeconds(row.revisedAt),
  revisionIdentifier: row.revisionId,
});

/** The single form of the interface. */
export const single = z
  .strictObject({
    uri: shapes.uri('/response'),
    survey: shapes.uri('/survey'),
    responder: shapes.uri('/user').meta({
      description: `\`/user/${nobody}\`, if the caller does not see them.`,
    }),
    case: shapes.uri('case'),
    properties: shapes.properties,
    items: shapes.answers,
    reasons: shapes.reasons,
    revisionDate: shapes.unix,
    ...shapes.givenState,
    ...shapes.answerState,
    ...shapes.outdatedState,
    ...shapes.lockState,
  })
  .meta({ id: 'Response', ...shapes.lockRule });

export type SingleResponse = z.input<typeof single>;

/** Answers and reasons, as a request sends them. */
export const givenExample = { items: { q1: 'well', q2: '' }, reasons: { q2: 1 } };

export const singleExample: SingleResponse = {
  uri: `/response/${examples.response.identifier}`,
  survey: `/survey/${examples.survey.identifier}`,
  responder: `/user/${examples.responder.identifier}`,
  case: `case/${examples.case.identifier}`,
  ...givenExample,
  revisionDate: 1803970938,
  status: 'active',
};

export const toSingle = (row: Response & Grouped & ItemState): SingleResponse => ({
  uri: `/response/${row.id}`,
  survey: `/survey/${row.surveyId}`,
  responder: `/user/${row.responderId}`,
  case: `case/${row.caseId}`,
  ...groupState(row),
  items: row.items,
  reasons: row.reasons,
  revisionDate: unixSeconds(row.revisedAt),
  ...givenState(row),
  ...answerState(row),
  ...outdatedState(row),
  ...lockState(row),
});
