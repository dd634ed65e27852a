import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, avatar as avatarPath, id, nothing, uri, zone } from '../../http/openapi/shapes.ts';

const tag = 'Users';

const shared = { uri: uri('/user'), identifier: id, name: z.string(), avatar: avatarPath };
const fellow = z
  .strictObject(shared)
  .meta({ id: 'Fellow', description: 'What people who share a study see.' });
const user = z
  .strictObject({
    ...shared,
    timeZone: zone.nullable(),
    customRemindersTime: z
      .string()
      .regex(/^[0-9]{2}:[0-9]{2}$/)
      .nullable(),
    devices: z.array(id),
    pausedUntil: at
      .nullable()
      .optional()
      .meta({ description: 'Only while the reminders rest; null: for good.' }),
  })
  .meta({ id: 'User', description: 'What users see of themselves.' });

export const signUp = documented({
  id: 'signUp',
  tag,
  summary: 'Signs the caller up',
  description: 'Invitations that wait for the verified e-mail address of the token become memberships.',
  access: 'token',
  request: { name: 'Ada Lindqvist', timeZone: 'Europe/Paris', customRemindersTime: '21:30' },
  answers: {
    201: { description: 'The user.', schema: user },
    200: { description: 'The user, who had signed up before; nothing is changed.', schema: user },
  },
});

export const read = documented({
  id: 'readUser',
  tag,
  summary: 'Reads a user',
  answers: {
    200: {
      description: 'The caller, or somebody who shares a study with them.',
      schema: z.union([user, fellow]),
    },
  },
  problems: ['resource.not-found'],
});

export const update = documented({
  id: 'updateUser',
  tag,
  summary: 'Changes the caller',
  request: { customRemindersTime: '20:00' },
  answers: { 200: { description: 'The user as they are now.', schema: user } },
  problems: ['resource.not-found', 'action.forbidden'],
});

export const remove = documented({
  id: 'deleteUser',
  tag,
  summary: 'Deletes the caller',
  description:
    'Devices leave the push relay, memberships and pending notifications go; answers stay with the study.',
  answers: nothing('They are gone.'),
  problems: ['resource.not-found', 'action.forbidden', 'member.last-owner', 'relay.unavailable'],
});

export const avatar = documented({
  id: 'readAvatar',
  tag,
  summary: 'Shows the picture of a user',
  answers: {
    200: {
      description: 'Initials on a colour.',
      also: { 'image/svg+xml': { schema: { type: 'string' } } },
      headers: ['Cache-Control', 'Content-Security-Policy'],
    },
  },
  problems: ['resource.not-found'],
});

export const pause = documented({
  id: 'pauseReminders',
  tag,
  summary: 'Pauses all reminders of the caller',
  description: '`until` null is for good.',
  request: { until: '2027-04-01T00:00:00Z' },
  answers: { 200: { description: 'The user as they are now.', schema: user } },
  problems: ['resource.not-found', 'action.forbidden'],
});

export const resume = documented({
  id: 'resumeReminders',
  tag,
  summary: 'Ends the pause',
  answers: nothing('There is no pause.'),
  problems: ['resource.not-found', 'action.forbidden'],
});
