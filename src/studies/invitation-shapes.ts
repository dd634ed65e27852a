import * as z from 'zod';
import { avatarPath, iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, avatar, id, uri } from '../http/openapi/shapes.ts';
import { roles } from '../permissions/roles.ts';
import { nobody } from '../permissions/shown-people.ts';
import { expiryOf, type ReceivedInvitation } from './invitations.ts';

export const role = z.enum(roles);

export const received = z
  .strictObject({
    investigation: uri('investigation'),
    identifier: id.meta({ description: 'Of the study.' }),
    name: z.string().meta({ description: 'Of the study.' }),
    role,
    invitedBy: z.strictObject({ user: uri('/user'), identifier: id, name: z.string(), avatar }).meta({
      description: `The inviter. With an empty name, and ${nobody} as identifier, if they are no owner or editor of the study any more.`,
    }),
    at,
    expiresAt: at,
  })
  .meta({ id: 'ReceivedInvitation' });

const { owner, study } = examples;

export const receivedExample: z.input<typeof received> = {
  investigation: `investigation/${study.identifier}`,
  identifier: study.identifier,
  name: study.name,
  role: 'responder',
  invitedBy: { user: `/user/${owner.identifier}`, ...owner, avatar: avatarPath(owner.identifier) },
  at: '2027-02-22T09:20:00.000Z',
  expiresAt: '2027-03-24T09:20:00.000Z',
};

export const toReceived = (row: ReceivedInvitation): z.input<typeof received> => ({
  investigation: `investigation/${row.investigation}`,
  identifier: row.investigation,
  name: row.study,
  role: row.role,
  invitedBy: {
    user: `/user/${row.invitedBy}`,
    identifier: row.invitedBy,
    name: row.inviter ?? '',
    avatar: avatarPath(row.invitedBy),
  },
  at: iso(row.createdAt),
  expiresAt: iso(expiryOf(row)),
});
