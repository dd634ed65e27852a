import * as z from 'zod';
import {
  avatarPath,
  date as givenDate,
  ownDates,
  ownProperties,
  participation,
  propertyRule,
  propertyValue,
} from '../http/fields.ts';
import { avatar, code, date, id, invitedAs, uri } from '../http/openapi/shapes.ts';
import type { GivenProperties, PropertyRule } from '../permissions/groups.ts';
import { roles } from '../permissions/roles.ts';
import type { OwnCourse } from './course-patches.ts';
import type { changeMember } from './member-change.ts';
import type { ShownEnrolment } from './shown-members.ts';

export const role = z.enum(roles, {
  error: 'Expected owner, editor, monitor or responder.',
});

/** The code of the study by which a member enrolled. */
export const enrolledBy = z.strictObject({ identifier: id, label: z.string().optional() }).optional().meta({
  description: 'The code of this study by which the member enrolled. For owners, editors and monitors.',
});

export const agreedTo = z
  .string()
  .nullable()
  .meta({
    description:
      'The hash of the information under which a person enrolled, as `POST /enrol/about` gives it: SHA-256 of the canonical JSON (RFC 8785) of its title, text and contact. The activity log has the texts. Null: the person was shown none.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

export const dates = z
  .record(z.string(), date)
  .optional()
  .meta({
    description: "The member's dates by name, if any. For owners, editors and monitors.",
    examples: [{ surgery: '2027-03-08' }],
  });

export const ownParticipation = z
  .strictObject({ from: date.optional(), until: date.optional() })
  .optional()
  .meta({
    description:
      "The member's own time in the study, if they have one; else the study's `participationDays` count. For owners, editors and monitors.",
  });

export const properties = z
  .record(z.string(), z.string())
  .optional()
  .meta({
    description:
      "The member's properties by name, if any. For owners, editors and monitors; blinded ones for owners alone.",
    examples: [{ site: 'lyon' }],
  });

/** The part of a study that a member sees, as bodies show it. */
export const scope = z
  .record(z.string(), z.array(z.string()))
  .optional()
  .meta({
    description:
      'Of editors and monitors: the part of the study that they see, that of people and cases with one of the values of each name. For owners and the member; nothing of those who see all.',
    examples: [{ site: ['lyon'] }],
  });

/** The part of a study that a member shall see. */
export const givenScope = propertyRule
  .nullable()
  .optional()
  .meta({
    description:
      'Of editors and monitors: they see the people and cases with one of the values of each name, and nothing of others. Null: all of the study.',
    examples: [{ site: ['lyon'] }],
  });

/** The changes of a member's dates, time and properties, in a request. */
export const courseChange = {
  dates: ownDates(givenDate.nullable())
    .optional()
    .meta({
      description:
        'Dates of the member by the names that the study declares; those that are left out stay, and null takes one away.',
      examples: [{ surgery: '2027-03-08' }],
    }),
  participation: participation.nullable().optional(),
  properties: ownProperties(propertyValue.nullable())
    .optional()
    .meta({
      description:
        'Properties of the member by the names that the study declares; those that are left out stay, and null takes one away.',
      examples: [{ site: 'lyon' }],
    }),
};

interface Course {
  dates?: OwnCourse['dates'] | undefined;
  participation?: OwnCourse['participation'] | undefined;
  /** The values that the reader knows of. */
  properties?: GivenProperties | null | undefined;
}

/** A rule as bodies show it. */
export const toRule = (rule: PropertyRule): Record<string, string[]> =>
  Object.fromEntries(Object.entries(rule).map(([name, values]) => [name, [...values]]));

/** Nothing of a member who has none. */
export function toCourse({ dates, participation, properties }: Course) {
  const { from, until } = participation ?? {};
  const known = Object.entries(dates ?? {}).flatMap(([name, [date]]) =>
    date === null ? [] : [[name, date]],
  );
  return {
    ...(known.length > 0 && { dates: Object.fromEntries(known) as Record<string, string> }),
    ...((from ?? until) !== undefined && {
      participation: { ...(from && { from }), ...(until && { until }) },
    }),
    ...(properties && { properties: { ...properties } }),
  };
}

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
    program: z.literal(true).optional().meta({ description: 'A program, which has a token that reads.' }),
    code,
    invitedAs,
    dates,
    participation: ownParticipation,
    properties,
    scope,
    enrolment: enrolledBy,
    agreedTo: agreedTo.optional(),
  })
  .meta({ id: 'Member' });
type Row = Pick<Awaited<ReturnType<typeof changeMember>>, 'id' | 'name' | 'role' | 'code' | 'invitedAs'> &
  Enrolled &
  Course & { isProgram?: number; scope?: PropertyRule | null };

export const toMember = ({
  id,
  name,
  role,
  code,
  invitedAs,
  isProgram,
  scope,
  ...more
}: Row): z.input<typeof member> => ({
  user: `/user/${id}`,
  identifier: id,
  name,
  avatar: avatarPath(id),
  role,
  ...(isProgram && { program: true as const }),
  ...(code !== null && { code }),
  ...(invitedAs !== null && { invitedAs }),
  ...toCourse(more),
  ...(scope && { scope: toRule(scope) }),
  ...toEnrolledBy(more),
});
