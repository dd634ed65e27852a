import * as z from 'zod';
import { avatarPath } from '../http/fields.ts';
import { avatar, code, id, invitedAs, uri } from '../http/openapi/shapes.ts';
import type { changeMember, ShownEnrolment } from './members.ts';

export const role = z.enum(['owner', 'editor', 'responder'], {
  error: 'Expected owner, editor or responder.',
});

/** The code of the study by which a member enrolled. */
export const enrolledBy = z
  .strictObject({ identifier: id, label: z.string().optional() })
  .optional()
  .meta({ description: 'The code of this study by which the member enrolled. For owners and editors.' });

/** Nothing of somebody who did not enrol by a code. */
export const toEnrolledBy = (enrolment: ShownEnrolment | null | undefined) =>
  enrolment && {
    enrolment: {
      identifier: enrolment.identifier,
      ...(enrolment.label !== null && { label: enrolment.label }),
    },
  };

export const member = z
  .strictObject({
    user: uri('/user'),
    identifier: id,
    name: z.string(),
    avatar,
    role,
    code,
    invitedAs,
    enrolment: enrolledBy,
  })
  .meta({ id: 'Member' });
type Row = Omit<Awaited<ReturnType<typeof changeMember>>, 'lastOwner' | 'issuer' | 'enrolment'> & {
  enrolment?: ShownEnrolment | null | undefined;
};

export const toMember = ({ id, name, role, code, invitedAs, enrolment }: Row): z.input<typeof member> => ({
  user: `/user/${id}`,
  identifier: id,
  name,
  avatar: avatarPath(id),
  role,
  ...(code !== null && { code }),
  ...(invitedAs !== null && { invitedAs }),
  ...toEnrolledBy(enrolment),
});
