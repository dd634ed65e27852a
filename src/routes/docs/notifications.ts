import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, date, id, next, uri, zone } from '../../http/openapi/shapes.ts';

const tag = 'Reminders';

const notification = z
  .strictObject({
    identifier: id,
    user: id,
    survey: id,
    on: date,
    dueAt: at,
    sentAt: at.nullable(),
    counter: z.int(),
    state: z.enum(['scheduled', 'sent', 'skipped', 'failed', 'invalidated']),
    reason: z.string().optional().meta({ description: 'Why it was skipped or failed.' }),
    timeZone: zone,
    deliveries: z.array(
      z.strictObject({
        device: id,
        platform: z.string(),
        at,
        messageId: z.string().optional(),
        error: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Notification' });

const notifications = z.array(notification);
const ofUser = z.strictObject({ user: uri('/user'), notifications, next }).meta({ id: 'UserNotifications' });
const ofSurvey = z
  .strictObject({ survey: uri('/survey'), notifications, next })
  .meta({ id: 'SurveyNotifications' });

export const listOfUser = documented({
  id: 'listUserNotifications',
  tag,
  summary: 'Lists what the caller got, gets next, or did not get and why',
  answers: { 200: { description: 'Newest first.', schema: ofUser, headers: ['Link'] } },
  problems: ['resource.not-found', 'action.forbidden'],
});

export const listOfSurvey = documented({
  id: 'listSurveyNotifications',
  tag,
  summary: "Lists a participant's notifications for a survey",
  answers: { 200: { description: 'Newest first.', schema: ofSurvey, headers: ['Link'] } },
  problems: ['resource.not-found', 'action.forbidden'],
});
