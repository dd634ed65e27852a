import * as z from 'zod';
import { dateName, declaredProperties, iso, itemStatus, maxDates, propertyRule } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, date, id, uri, zone } from '../http/openapi/shapes.ts';
import { knownTo } from '../permissions/declared-properties.ts';
import { shownGroups } from '../permissions/frozen-groups.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import { defaultPolicy } from '../permissions/lock-policies.ts';
import { roles } from '../permissions/roles.ts';
import { timeOf } from '../schedule/course.ts';
import { noCourse } from './dates.ts';
import { information } from './information-shapes.ts';
import type { Investigation } from './investigations.ts';

/** A hundred years. */
const maxParticipationDays = 36_500;

const unlock = z
  .enum(['viewers', 'owners'], { error: 'Expected viewers or owners.' })
  .meta({ description: '`viewers`: everyone who may view an item.' });
const isSigned = z
  .boolean({ error: 'Expected true or false.' })
  .meta({ description: 'Locking, unlocking, freezing and reviews of the log need a signature.' });
const expectedGroups = 'Expected at most 20 groups with their properties.';
const groupPolicy = z.strictObject(
  { properties: propertyRule, unlock: unlock.optional(), signature: isSigned.optional() },
  { error: 'Expected properties, and unlock or signature.' },
);

export const lockPolicy = z.strictObject(
  {
    unlock,
    signature: isSigned,
    groups: z.array(groupPolicy, { error: expectedGroups }).max(20, expectedGroups).optional().meta({
      description:
        'For items of groups, whose fields go before those above; the strictest of several that fit. The whole list; responders are not shown it.',
    }),
  },
  { error: 'Expected an object with unlock and signature.' },
);
const expectedDates = `Expected at most ${maxDates} names of dates, each once.`;
/** The fields of a study that people's dates and times need. */
export const courseFields = {
  dates: z
    .array(dateName, { error: expectedDates })
    .max(maxDates, expectedDates)
    .refine((names) => new Set(names).size === names.length, expectedDates)
    .optional()
    .meta({ description: 'The names of dates that each member may have, from which reminders count.' }),
  participationDays: z
    .int({ error: 'Expected a whole number or null.' })
    .min(1, 'Expected at least 1 day.')
    .max(maxParticipationDays, `Expected at most ${maxParticipationDays} days.`)
    .nullable()
    .optional()
    .meta({
      description:
        "The days for which each person takes part, counted from the day of joining, which is the first. A member's own `participation` goes before it. Null: without an end.",
    }),
  properties: declaredProperties.optional().meta({
    description:
      'The properties that members and cases may have, such as a site or an arm, with their possible values.',
    examples: [[{ name: 'site', values: ['lyon', 'paris'] }]],
  }),
};

export const investigation = z
  .strictObject({
    uri: uri('/investigation'),
    identifier: id,
    name: z.string(),
    timeZone: zone,
    startsOn: date,
    creation: at,
    role: z.enum(roles).meta({ description: "The caller's." }),
    status: itemStatus,
    lockPolicy: lockPolicy.meta({ description: 'Permission to unlock, and whether locks are signed.' }),
    dates: z
      .array(z.string())
      .optional()
      .meta({
        description: 'The names of dates that each member may have; nothing without any.',
        examples: [['surgery', 'baseline']],
      }),
    participationDays: z.int().optional().meta({
      description:
        'The days for which each person takes part, unless they have an end of their own; nothing without an end.',
    }),
    properties: z
      .array(
        z.strictObject({
          name: z.string(),
          values: z.array(z.string()),
          blinded: z.literal(true).optional(),
        }),
      )
      .optional()
      .meta({
        description:
          'The properties that members and cases may have; for owners, editors and monitors, and blinded ones for owners alone.',
      }),
    scope: propertyRule.optional().meta({
      description: 'The part of the study that the caller sees; nothing for those who see all of it.',
    }),
    participation: z.strictObject({ from: date, until: date.optional() }).optional().meta({
      description:
        "The caller's time in the study, if it has bounds: its first and its last date, both included.",
    }),
    information: information
      .optional()
      .meta({ description: 'For people who join; nothing without it, and of deleted studies.' }),
    frozenAt: at.optional().meta({ description: 'Only of frozen studies.' }),
    frozenGroups: z.array(propertyRule).optional().meta({
      description:
        'Groups whose cases and responses are frozen, while the rest of the study goes on; for owners, editors and monitors, of their part of the study.',
    }),
    participants: z.int().optional().meta({
      description:
        'Members who take part; only in the list with `include=counts`, for owners, editors and monitors.',
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

export type ListedStudy = Omit<Investigation, 'joinedOn' | 'participation' | 'scope'> & {
  scope?: Investigation['scope'];
  joinedOn?: string | null;
  participation?: Investigation['participation'];
  participants?: number | null;
  attention?: number | null;
  deletedAt?: number;
};

/** The caller's time, if it has bounds. */
function ownTime({ joinedOn = null, participation = null, course }: ListedStudy) {
  const { participationDays } = course ?? noCourse;
  if (joinedOn === null || !(participation?.from || participation?.until || participationDays !== null))
    return {};
  const { from, until } = timeOf({ joinedOn, own: participation, participationDays });
  return { participation: { from, ...(until !== null && { until }) } };
}

/** The properties that the caller knows of. */
function shownDeclared({ role, course }: ListedStudy) {
  const known = knownTo(role, course?.properties ?? []);
  return known.length > 0 && { properties: known.map((one) => ({ ...one, values: [...one.values] })) };
}

const mutable = (rule: PropertyRule): Record<string, string[]> =>
  Object.fromEntries(Object.entries(rule).map(([name, values]) => [name, [...values]]));

function shownFrozen(study: ListedStudy) {
  const groups = shownGroups(study, study.frozenGroups);
  return groups.length > 0 && { frozenGroups: groups.map(mutable) };
}

/** The groups of the caller's part of the study. */
function shownPolicy({ lockPolicy, ...study }: ListedStudy): z.input<typeof investigation>['lockPolicy'] {
  const { groups = [], ...policy } = lockPolicy ?? defaultPolicy;
  const shown = groups.filter(({ properties }) => shownGroups(study, [properties]).length > 0);
  return {
    ...policy,
    ...(shown.length > 0 && {
      groups: shown.map((group) => ({ ...group, properties: mutable(group.properties) })),
    }),
  };
}

export const toInvestigation = (study: ListedStudy): z.input<typeof investigation> => ({
  uri: `/investigation/${study.id}`,
  identifier: study.id,
  name: study.name,
  timeZone: study.timeZone,
  startsOn: study.startsOn,
  creation: iso(study.createdAt),
  role: study.role,
  status: study.archivedAt === null ? 'active' : 'archived',
  lockPolicy: shownPolicy(study),
  ...ownTime(study),
  ...(study.course && study.course.dates.length > 0 && { dates: [...study.course.dates] }),
  ...(study.course?.participationDays != null && { participationDays: study.course.participationDays }),
  ...shownDeclared(study),
  ...(study.scope && { scope: mutable(study.scope) }),
  ...(study.information !== null && { information: study.information }),
  ...(study.frozenAt !== null && { frozenAt: iso(study.frozenAt) }),
  ...shownFrozen(study),
  ...(study.participants != null && { participants: study.participants }),
  ...(study.attention != null && { attention: study.attention }),
  ...(study.deletedAt !== undefined && { deletedAt: iso(study.deletedAt) }),
});
