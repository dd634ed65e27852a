import * as z from 'zod';
import { etag } from '../http/etag.ts';
import { avatarPath, iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, avatar, id, uri, zone } from '../http/openapi/shapes.ts';
import { indefinitely } from '../schedule/pauses.ts';
import { revisionOfUser, type User } from './users.ts';

const shared = { uri: uri('/user'), identifier: id, name: z.string(), avatar };
export const coMember = z
  .strictObject(shared)
  .meta({ id: 'CoMember', description: 'A user, as people who see them in a study do.' });
export const user = z
  .strictObject({
    ...shared,
    timeZone: zone.nullable(),
    customRemindersTime: z
      .string()
      .regex(/^[0-9]{2}:[0-9]{2}$/)
      .nullable(),
    quietHours: z
      .strictObject({ from: z.string(), to: z.string() })
      .optional()
      .meta({ description: 'Only of users with quiet hours.' }),
    language: z.string().optional().meta({
      description: 'Only of users who have told it: the language of phones registered without one.',
    }),
    devices: z.array(id),
    pausedUntil: at
      .nullable()
      .optional()
      .meta({ description: 'Only while all reminders are paused; null: indefinitely.' }),
    pausedStudies: z
      .array(z.strictObject({ investigation: id, until: at.nullable() }))
      .optional()
      .meta({
        description: 'Only while the reminders of single studies are paused; `until` null: indefinitely.',
      }),
  })
  .meta({ id: 'User', description: 'A user, as they see themselves.' });

const { responder } = examples;

/** A user as they see themselves. */
export const userExample: z.input<typeof user> = {
  uri: `/user/${responder.identifier}`,
  identifier: responder.identifier,
  name: responder.name,
  avatar: avatarPath(responder.identifier),
  timeZone: 'Europe/Paris',
  customRemindersTime: '21:30',
  devices: [examples.device.identifier],
};

export const toCoMember = ({ id, name }: Pick<User, 'id' | 'name'>): z.input<typeof coMember> => ({
  uri: `/user/${id}`,
  identifier: id,
  name,
  avatar: avatarPath(id),
});

export const toUser = (row: User, now: number): z.input<typeof user> => ({
  ...toCoMember(row),
  timeZone: row.timeZone,
  customRemindersTime: row.customRemindersTime,
  ...(row.quietFrom !== null &&
    row.quietTo !== null && { quietHours: { from: row.quietFrom, to: row.quietTo } }),
  ...(row.language !== null && { language: row.language }),
  devices: row.deviceIds,
  ...(row.pausedUntil !== null && row.pausedUntil > now && { pausedUntil: toEnd(row.pausedUntil) }),
  ...(row.studyPauses.length > 0 && {
    pausedStudies: row.studyPauses.map(({ investigation, until }) => ({
      investigation,
      until: toEnd(until),
    })),
  }),
});

/** The headers of an answer that `toUser` makes. */
export const tagOfUser = async (row: User, now: number) => ({ etag: etag(await revisionOfUser(row, now)) });

const toEnd = (until: number) => (until === indefinitely ? null : iso(until));
