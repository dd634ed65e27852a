import * as z from 'zod';
import { answerState, groupState, iso, outdatedState } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import * as shapes from '../http/openapi/shapes.ts';
import type { ListedSetAside } from './set-aside-list.ts';
import { setAsideReasons } from './set-aside-reasons.ts';

export const setAsideReason = z.enum(setAsideReasons).meta({
  description:
    'Why the answer has no place any more: its survey, study or case was archived, deleted or hidden, or its person removed from the study, after it was given.',
});

/** An answer that waits for owners and editors. */
export const setAside = z
  .strictObject({
    identifier: shapes.id.meta({ description: 'The response has it, too, once it is placed.' }),
    reason: setAsideReason,
    survey: shapes.id,
    surveyName: z.string(),
    case: shapes.id.meta({
      description: 'The case that the answer was for. It may be one that could not be made any more.',
    }),
    caseLabel: z
      .string()
      .optional()
      .meta({ description: 'Absent: there is no such case, it is deleted, or the caller does not see it.' }),
    responder: shapes.id,
    name: z.string(),
    code: shapes.code,
    properties: shapes.properties,
    items: shapes.answers,
    reasons: shapes.reasons,
    givenAt: shapes.at,
    receivedAt: shapes.at,
    ...shapes.answerState,
    ...shapes.outdatedState,
  })
  .meta({ id: 'AnswerSetAside' });
export type ShownSetAside = z.input<typeof setAside>;

export const setAsideExample: ShownSetAside = {
  identifier: examples.response.identifier,
  reason: 'case-deleted',
  survey: examples.survey.identifier,
  surveyName: examples.survey.name,
  case: examples.case.identifier,
  responder: examples.responder.identifier,
  name: examples.responder.name,
  code: 'P-017',
  items: { q1: 'well' },
  reasons: {},
  givenAt: '2027-03-02T07:02:18.000Z',
  receivedAt: '2027-03-03T09:15:00.000Z',
};

export const toSetAside = (row: ListedSetAside): ShownSetAside => ({
  identifier: row.id,
  reason: row.reason,
  survey: row.surveyId,
  surveyName: row.surveyName ?? '',
  case: row.caseId,
  ...(row.caseLabel !== null && { caseLabel: row.caseLabel }),
  responder: row.responderId,
  name: row.responderName ?? '',
  ...(row.code !== null && { code: row.code }),
  ...groupState(row),
  items: row.items,
  reasons: row.reasons,
  givenAt: iso(row.givenAt),
  receivedAt: iso(row.createdAt),
  ...answerState(row),
  ...outdatedState(row),
});
