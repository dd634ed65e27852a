import * as z from 'zod';
import { avatarPath } from '../http/fields.ts';
import { avatar, code, id, invitedAs, uri } from '../http/openapi/shapes.ts';
import type { changeMember } from './members.ts';

export const role = z.enum(['owner', 'editor', 'responder'], {
  error: 'Expected owner, editor or responder.',
});

export const member = z
  .strictObject({ user: uri('/user'), identifier: id, name: z.string(), avatar, role, code, invitedAs })
  .meta({ id: 'Member' });
type Row = Omit<Awaited<ReturnType<typeof changeMember>>, 'lastOwner'>;

export const toMember = ({ id, name, role, code, invitedAs }: Row): z.input<typeof member> => ({
  user: `/user/${id}`,
  identifier: id,
  name,
  avatar: avatarPath(id),
  role,
  ...(code !== null && { code }),
  ...(invitedAs !== null && { invitedAs }),
});
