import { Hono } from 'hono';
import * as z from 'zod';
import { resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { avatarPath, iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, avatar, code, date, id, invitedAs, uri, zone } from '../../http/openapi/shapes.ts';
import { roles } from '../../permissions/roles.ts';
import { knownZone } from '../../reminders/effective-zone.ts';
import { localDate } from '../../schedule/civil.ts';
import { stateOn, timeOf } from '../../schedule/course.ts';
import { indefinitely } from '../../schedule/pauses.ts';
import { noCourse } from '../../studies/dates.ts';
import {
  agreedTo,
  dates,
  enrolledBy,
  ownParticipation,
  properties,
  scope,
  toCourse,
  toEnrolledBy,
  toRule,
} from '../../studies/member-shapes.ts';
import { type Participant, readParticipant } from '../member-details.ts';

const phone = z
  .strictObject({
    identifier: id,
    platform: z.string(),
    timeZone: zone.nullable(),
    enabled: z.boolean().meta({ description: 'Whether the push relay reaches the phone.' }),
    createdAt: at,
    lastSeenAt: at.meta({ description: 'When the app last registered or updated the phone.' }),
  })
  .meta({ id: 'Phone', description: "A participant's device, as staff see it." });
const pausedUntil = at.nullable().optional();
const participant = z
  .strictObject({
    user: uri('/user'),
    identifier: id,
    name: z.string(),
    avatar,
    role: z.enum(roles),
    code,
    invitedAs,
    enrolment: enrolledBy,
    agreedTo: agreedTo.optional(),
    joinedAt: at,
    dates,
    participation: ownParticipation,
    properties,
    scope,
    time: z
      .strictObject({
        from: date,
        until: date.nullable().meta({ description: 'Null: without an end.' }),
        state: z.enum(['before', 'in', 'after']).meta({ description: 'By the clock of the member.' }),
      })
      .optional()
      .meta({
        description:
          "The first and the last date on which the member takes part, by their own `participation` or the study's `participationDays`; nothing for those who take no part.",
      }),
    timeZone: zone.meta({
      description:
        "The zone of the member's reminders: that of the device whose zone changed last, else the user's own, else the study's.",
    }),
    customRemindersTime: z
      .string()
      .nullable()
      .meta({ description: 'The time that the member chose for reminders, HH:MM.' }),
    quietHours: z
      .strictObject({ from: z.string(), to: z.string() })
      .optional()
      .meta({ description: 'Only of users with quiet hours.' }),
    pausedUntil: pausedUntil.meta({
      description: 'Only while the user pauses all reminders; null: indefinitely.',
    }),
    studyPausedUntil: pausedUntil.meta({
      description: "Only while the user pauses this study's reminders; null: indefinitely.",
    }),
    devices: z.array(phone),
  })
  .meta({ id: 'ParticipantDetails' });

const { responder, device } = examples;

export const participants = new Hono<Env>().get(
  '/investigation/:id/member/:user',
  documented({
    id: 'readMember',
    tag: 'Studies',
    summary: 'Shows the settings and phones behind the reminders of a member',
    description:
      'For owners, editors and monitors: zone, times, pauses and phones. Pauses of other studies, tokens and endpoints are left out.',
    answers: {
      200: json('The member.', participant, {
        user: `/user/${responder.identifier}`,
        identifier: responder.identifier,
        name: responder.name,
        avatar: avatarPath(responder.identifier),
        role: 'responder',
        joinedAt: '2027-02-22T10:00:00.000Z',
        timeZone: 'Europe/Paris',
        customRemindersTime: '21:30',
        studyPausedUntil: '2027-04-01T00:00:00.000Z',
        devices: [
          {
            identifier: device.identifier,
            platform: 'android',
            timeZone: 'Europe/Paris',
            enabled: true,
            createdAt: '2027-03-01T08:00:00.000Z',
            lastSeenAt: '2027-03-08T08:00:00.000Z',
          },
        ],
      }),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  async (c) => {
    const context = contextOf(c);
    const { id: investigation, user } = c.req.param();
    const found = await readParticipant(context, { investigation, user: resolveUser(user, context.actor) });
    return c.json(toParticipant(found, context.now));
  },
);

function shownTime({ joinedOn, participation: own, course, timeZone }: Participant, now: number) {
  if (joinedOn === null) return {};
  const time = timeOf({ joinedOn, own, participationDays: (course ?? noCourse).participationDays });
  return { time: { ...time, state: stateOn(time, localDate(now, knownZone(timeZone))) } };
}

const toParticipant = (row: Participant, now: number): z.input<typeof participant> => ({
  user: `/user/${row.id}`,
  identifier: row.id,
  name: row.name,
  avatar: avatarPath(row.id),
  role: row.role,
  ...(row.code !== null && { code: row.code }),
  ...(row.invitedAs !== null && { invitedAs: row.invitedAs }),
  ...toEnrolledBy(row),
  joinedAt: iso(row.joinedAt),
  ...toCourse(row),
  ...(row.scope && { scope: toRule(row.scope) }),
  ...shownTime(row, now),
  timeZone: row.timeZone,
  customRemindersTime: row.customRemindersTime,
  ...(row.quietFrom !== null &&
    row.quietTo !== null && { quietHours: { from: row.quietFrom, to: row.quietTo } }),
  ...ifPaused('pausedUntil', row.pausedUntil, now),
  ...ifPaused('studyPausedUntil', row.studyPausedUntil, now),
  devices: row.devices.map(({ id, platform, timeZone, enabled, createdAt, seenAt }) => ({
    identifier: id,
    platform,
    timeZone,
    enabled,
    createdAt: iso(createdAt),
    lastSeenAt: iso(seenAt),
  })),
});

const ifPaused = <Name extends string>(name: Name, until: number | null, now: number) =>
  until !== null && until > now ? { [name]: until === indefinitely ? null : iso(until) } : {};
