import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, avatar, csv, id, lockRule, lockState, next, unix, uri } from '../../http/openapi/shapes.ts';

const tag = 'Cases';

/** A case, in lists and alone. */
export const caseBody = z
  .strictObject({
    identifier: id,
    uri: uri('case'),
    creation: at,
    label: z.string(),
    hidden: z.boolean(),
    revisionIdentifier: id,
    editedAt: unix,
    creatorIdentifier: id,
    creatorNames: z.string(),
    creatorAvatar: avatar,
    ...lockState,
  })
  .meta({ id: 'Case', ...lockRule });

const caseList = z
  .strictObject({ uri: uri('investigation'), cases: z.array(caseBody), next })
  .meta({ id: 'Cases' });

export const list = documented({
  id: 'listCases',
  tag,
  summary: 'Lists the cases of a study',
  description: 'In order of creation; everything at once, streamed, or in pages.',
  answers: {
    200: {
      description: 'Those that the caller may see.',
      schema: caseList,
      also: csv('identifier,creation,label,...\r\n'),
      headers: ['Link', 'Vary'],
    },
  },
  problems: ['resource.not-found'],
});

export const create = documented({
  id: 'createCase',
  tag,
  summary: 'Creates a case',
  description: 'With an `identifier` it may be repeated safely.',
  request: { label: 'Night 1' },
  answers: {
    201: { description: 'The case.', schema: caseBody, headers: ['ETag'] },
    200: { description: 'The same case was created before.', schema: caseBody, headers: ['ETag'] },
  },
  problems: ['resource.not-found', 'identifier.taken', 'study.full'],
});

export const read = documented({
  id: 'readCase',
  tag,
  summary: 'Reads a case',
  answers: { 200: { description: 'The case.', schema: caseBody, headers: ['ETag'] } },
  problems: ['resource.not-found'],
});

export const update = documented({
  id: 'updateCase',
  tag,
  summary: 'Changes a case',
  ifMatch: true,
  request: { label: 'Night one' },
  answers: { 200: { description: 'The case as it is now.', schema: caseBody, headers: ['ETag'] } },
  problems: ['resource.not-found', 'action.forbidden', 'item.locked', 'revision.stale'],
});
