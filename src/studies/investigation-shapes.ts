import * as z from 'zod';
import { iso, itemStatus } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, date, id, uri, zone } from '../http/openapi/shapes.ts';
import { defaultPolicy } from '../permissions/lock-policies.ts';
import { information } from './information-shapes.ts';
import type { Investigation } from './investigations.ts';

export const lockPolicy = z.strictObject(
  {
    unlock: z
      .enum(['viewers', 'owners'], { error: 'Expected viewers or owners.' })
      .meta({ description: '`viewers`: everyone who may view an item.' }),
    signature: z
      .boolean({ error: 'Expected true or false.' })
      .meta({ description: 'Locking, unlocking, freezing and reviews of the log need a signature.' }),
  },
  { error: 'Expected an object with unlock and signature.' },
);
export const investigation = z
  .strictObject({
    uri: uri('/investigation'),
    identifier: id,
    name: z.string(),
    timeZone: zone,
    startsOn: date,
    creation: at,
    role: z.enum(['owner', 'editor', 'responder']).meta({ description: "The caller's." }),
    status: itemStatus,
    lockPolicy: lockPolicy.meta({ description: 'Permission to unlock, and whether locks are signed.' }),
    information: information
      .optional()
      .meta({ description: 'For people who join; nothing without it, and of deleted studies.' }),
    frozenAt: at.optional().meta({ description: 'Only of frozen studies.' }),
    participants: z.int().optional().meta({
      description: 'Members who take part; only in the list with `include=counts`, for owners and editors.',
    }),
    attention: z.int().optional().meta({
      description:
        'Of those, the ones who need attention now, as `compliance` says; not of studies with too many people to look at in a list.',
    }),
    deletedAt: at.optional().meta({ description: 'Only in the list of deleted studies.' }),
  })
  .meta({ id: 'Investigation' });
export const studyExample: z.input<typeof investigation> = {
  uri: `/investigation/${examples.study.identifier}`,
  ...examples.study,
  startsOn: '2027-03-01',
  creation: '2027-02-22T09:12:30.000Z',
  role: 'owner',
  status: 'active',
  lockPolicy: { unlock: 'viewers', signature: false },
};

export type ListedStudy = Investigation & {
  participants?: number | null;
  attention?: number | null;
  deletedAt?: number;
};

export const toInvestigation = (study: ListedStudy): z.input<typeof investigation> => ({
  uri: `/investigation/${study.id}`,
  identifier: study.id,
  name: study.name,
  timeZone: study.timeZone,
  startsOn: study.startsOn,
  creation: iso(study.createdAt),
  role: study.role,
  status: study.archivedAt === null ? 'active' : 'archived',
  lockPolicy: study.lockPolicy ?? defaultPolicy,
  ...(study.information !== null && { information: study.information }),
  ...(study.frozenAt !== null && { frozenAt: iso(study.frozenAt) }),
  ...(study.participants != null && { participants: study.participants }),
  ...(study.attention != null && { attention: study.attention }),
  ...(study.deletedAt !== undefined && { deletedAt: iso(study.deletedAt) }),
});
