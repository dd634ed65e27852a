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

export const agreedTo = z
  .string()
  .nullable()
  .meta({
    description:
      'The hash of the information under which a person enrolled, as `POST /enrol/about` gives it: SHA-256 of the canonical JSON (RFC 8785) of its title, text and contact. The activity log has the texts. Null: the person was shown none.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

interface Enrolled {
  enrolment?: ShownEnrolment | null | undefined;
  agreedTo?: string | null | undefined;
}

/** Nothing of somebody who did not enrol by a code. */
export const toEnrolledBy = ({ enrolment, agreedTo = null }: Enrolled) =>
  enrolment && {
    enrolment: {
      identifier: enrolment.identifier,
      ...(enrolment.label !== null && { label: enrolment.label }),
    },
    agreedTo,
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
    agreedTo: agreedTo.optional(),
  })
  .meta({ id: 'Member' });
type Row = Omit<Awaited<ReturnType<typeof changeMember>>, 'lastOwner' | 'issuer' | 'enrolment' | 'agreedTo'> &
  Enrolled;

export const toMember = ({ id, name, role, code, invitedAs, ...enrolled }: Row): z.input<typeof member> => ({
  user: `/user/${id}`,
  identifier: id,
  name,
  avatar: avatarPath(id),
  role,
  ...(code !== null && { code }),
  ...(invitedAs !== null && { invitedAs }),
  ...toEnrolledBy(enrolled),
});
