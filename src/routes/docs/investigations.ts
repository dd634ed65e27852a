import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, date, id, uri, zone } from '../../http/openapi/shapes.ts';

const tag = 'Studies';

const study = z
  .strictObject({
    uri: uri('/investigation'),
    identifier: id,
    name: z.string(),
    timeZone: zone,
    startsOn: date,
    creation: at,
    role: z.enum(['owner', 'editor', 'responder']).meta({ description: "The caller's." }),
    status: z.enum(['active', 'archived']),
  })
  .meta({ id: 'Investigation' });

const studies = z.strictObject({ investigations: z.array(study) }).meta({ id: 'Investigations' });

export const create = documented({
  id: 'createInvestigation',
  tag,
  summary: 'Creates a study, which the caller owns',
  request: { name: 'Sleep', timeZone: 'Europe/Paris', startsOn: '2027-03-01' },
  answers: { 201: { description: 'The study.', schema: study } },
  problems: ['resource.not-found', 'user.too-many-studies'],
});

export const list = documented({
  id: 'listInvestigations',
  tag,
  summary: 'Lists the studies that the caller belongs to',
  answers: { 200: { description: 'All of them.', schema: studies } },
  problems: ['resource.not-found'],
});

export const read = documented({
  id: 'readInvestigation',
  tag,
  summary: 'Reads a study',
  answers: { 200: { description: 'The study.', schema: study } },
  problems: ['resource.not-found'],
});

export const update = documented({
  id: 'updateInvestigation',
  tag,
  summary: 'Changes or archives a study',
  request: { name: 'Sleep and dreams', status: 'archived' },
  answers: { 200: { description: 'The study as it is now.', schema: study } },
  problems: ['resource.not-found', 'action.forbidden'],
});
