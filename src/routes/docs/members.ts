import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { avatar, id, next, nothing, uri } from '../../http/openapi/shapes.ts';

const tag = 'Studies';
const role = z.enum(['owner', 'editor', 'responder']);

const member = z
  .strictObject({ user: uri('/user'), identifier: id, name: z.string(), avatar, role })
  .meta({ id: 'Member' });
const invitation = z.strictObject({ email: z.email(), role }).meta({ id: 'Invitation' });
const memberList = z
  .strictObject({
    investigation: uri('investigation'),
    members: z.array(member),
    invitations: z.array(invitation).meta({ description: 'Those that wait; shown to owners.' }),
    next,
  })
  .meta({ id: 'Members' });
const memberOrInvitation = z.union([member, invitation]);

export const list = documented({
  id: 'listMembers',
  tag,
  summary: 'Lists the members of a study',
  answers: { 200: { description: 'Members and invitations.', schema: memberList, headers: ['Link'] } },
  problems: ['resource.not-found'],
});

export const add = documented({
  id: 'addMember',
  tag,
  summary: 'Adds a member, or invites an e-mail address',
  description:
    'Exactly one of `user` and `email`. An address that nobody signed up with waits as an invitation.',
  request: { email: 'bruno@example.org', role: 'editor' },
  answers: {
    201: { description: 'The new member or invitation.', schema: memberOrInvitation },
    200: { description: 'It was there already.', schema: memberOrInvitation },
  },
  problems: ['resource.not-found', 'action.forbidden', 'member.exists', 'study.full'],
});

export const update = documented({
  id: 'updateMember',
  tag,
  summary: 'Changes the role of a member',
  request: { role: 'owner' },
  answers: { 200: { description: 'The member as it is now.', schema: member } },
  problems: ['resource.not-found', 'action.forbidden', 'member.last-owner'],
});

export const remove = documented({
  id: 'removeMember',
  tag,
  summary: 'Removes a member, or withdraws an invitation',
  description: 'Owners remove anyone, anyone themselves.',
  answers: nothing('They are no member any more.'),
  problems: ['resource.not-found', 'action.forbidden', 'member.last-owner'],
});
