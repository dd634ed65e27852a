import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, id, next, uri } from '../../http/openapi/shapes.ts';
import { actions } from '../../model/activities.ts';

const tag = 'Activity';
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const activity = z
  .strictObject({
    identifier: id,
    at,
    actor: id,
    actorName: z.string(),
    action: z.enum(actions),
    cases: z.array(id),
    responses: z.array(id),
    reason: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
    hash: hash.meta({ description: 'SHA-256 over the hash before it and the entry.' }),
  })
  .meta({ id: 'Activity' });

const activityList = z
  .strictObject({ investigation: uri('investigation'), activities: z.array(activity), next })
  .meta({ id: 'Activities' });

const verification = z
  .union([
    z.strictObject({ valid: z.literal(true), entries: z.int(), head: hash }),
    z.strictObject({
      valid: z.literal(false),
      entries: z.int(),
      brokenAt: z.int().meta({ description: 'The first position that does not fit.' }),
    }),
  ])
  .meta({ id: 'Verification' });

export const list = documented({
  id: 'listActivities',
  tag,
  summary: 'Lists who did what in a study',
  answers: { 200: { description: 'Newest first.', schema: activityList, headers: ['Link'] } },
  problems: ['resource.not-found', 'action.forbidden'],
});

export const verify = documented({
  id: 'verifyActivities',
  tag,
  summary: 'Walks the chain of the log',
  answers: { 200: { description: 'Whether every entry is as it was written.', schema: verification } },
  problems: ['resource.not-found', 'action.forbidden'],
});
