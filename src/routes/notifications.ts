import { Hono } from 'hono';
import { z } from 'zod';
import { requireSelf, resolveUser } from '../http/auth/require-self.ts';
import { contextOf, type Env } from '../http/context.ts';
import { iso } from '../http/fields.ts';
import { cursor, cutPage, linkNext } from '../http/lists/paging.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, date, id, next, slot, uri, zone } from '../http/openapi/shapes.ts';
import { count, query } from '../http/validation.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import {
  type HistoryEntry,
  listSurveyNotifications,
  listUserNotifications,
} from '../model/reminders/history.ts';
import { pauseNote } from '../schedule/pauses.ts';
import { waitNote } from '../schedule/quiet-hours.ts';
import { slotOf } from '../schedule/slots.ts';

const tag = 'Reminders';

const pageQuery = {
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int(), z.string(), z.string()])).optional(),
};
const surveyQuery = z.strictObject({
  ...pageQuery,
  user: z
    .string({ error: 'Expected the identifier of a user.' })
    .regex(/^(?:me|[0-9a-f]{32})$/, 'Expected the identifier of a user.'),
});

const delivery = z.strictObject({
  device: id,
  platform: z.string(),
  at,
  messageId: z.string().optional(),
  error: z.string().optional(),
  language: z.string().optional().meta({ description: 'Of the translation that it was sent in.' }),
});

const followUp = z
  .strictObject({
    kind: z.enum(['nudge', 'snooze']),
    dueAt: at,
    at: at.meta({ description: 'When it was decided.' }),
    state: z.enum(['retrying', 'sent', 'failed', 'skipped']),
    reason: z.string().optional().meta({ description: 'Why it was skipped or failed.' }),
    attempts: z.int().optional(),
    deliveries: z.array(delivery).optional(),
  })
  .meta({ id: 'FollowUp' });

const notification = z
  .strictObject({
    identifier: id,
    user: id,
    survey: id,
    on: date,
    slot,
    dueAt: at,
    sentAt: at.nullable(),
    counter: z.int(),
    state: z.enum(['scheduled', 'sent', 'skipped', 'failed', 'invalidated']).meta({
      description:
        '`invalidated`: it was scheduled, and will not come any more. If its date becomes due again, it is `scheduled` again.',
    }),
    reason: z.string().optional().meta({
      description:
        'Why it was skipped, failed or invalidated; `survey-archived` is also that of an archived study.',
    }),
    note: z
      .string()
      .optional()
      .meta({ description: 'Only when a pause will skip it, or it waits for quiet hours to end.' }),
    timeZone: zone,
    deliveries: z.array(delivery),
    followUps: z
      .array(followUp)
      .optional()
      .meta({ description: 'Nudges and snoozes, in order; only where there are some.' }),
    nextAt: at.optional().meta({ description: 'When the next of them is due, while one is.' }),
    shownAt: at.optional(),
    openedAt: at.optional(),
    dismissedAt: at.optional(),
  })
  .meta({ id: 'Notification' });
const notificationList = z.array(notification);
const ofUser = z
  .strictObject({ user: uri('/user'), notifications: notificationList, next })
  .meta({ id: 'UserNotifications' });
const ofSurvey = z
  .strictObject({ survey: uri('/survey'), notifications: notificationList, next })
  .meta({ id: 'SurveyNotifications' });

const { responder, survey, device } = examples;
const sent: z.input<typeof notification> = {
  identifier: occurrenceIdentifier(responder.identifier, survey.identifier, 1, '2027-03-01'),
  user: responder.identifier,
  survey: survey.identifier,
  on: '2027-03-01',
  dueAt: '2027-03-01T20:30:00.000Z',
  sentAt: '2027-03-01T20:30:01.250Z',
  counter: 0,
  state: 'sent',
  timeZone: 'Europe/Paris',
  deliveries: [
    {
      device: device.identifier,
      platform: 'android',
      at: '2027-03-01T20:30:01.250Z',
      messageId: '6014fe16-26c1-5a8e-b1d3-a2b5e1f0c7d4',
    },
  ],
};

export const notifications = new Hono<Env>()
  .get(
    '/user/:id/notifications',
    documented({
      id: 'listUserNotifications',
      tag,
      summary: 'Lists the reminders that the caller got, gets next, or did not get and why',
      answers: {
        200: json('Newest first.', ofUser, { user: `/user/${responder.identifier}`, notifications: [sent] }, [
          'Link',
        ]),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(z.strictObject(pageQuery)),
    async (c) => {
      const { limit, cursor: after } = c.req.valid('query');
      const context = contextOf(c);
      const user = await requireSelf(context, c.req.param('id'));
      const found = await listUserNotifications(context, user, { limit, after });
      const { rows, next } = cutPage(found, limit, (row) => [row.dueAt, row.survey, row.key]);
      linkNext(c, next);
      const page: z.input<typeof ofUser> = {
        user: `/user/${user}`,
        notifications: rows.map(toNotification),
        ...(next && { next }),
      };
      return c.json(page);
    },
  )
  .get(
    '/survey/:id/notifications',
    documented({
      id: 'listSurveyNotifications',
      tag,
      summary: "Lists a participant's notifications for a survey",
      answers: {
        200: json(
          'Newest first.',
          ofSurvey,
          { survey: `/survey/${survey.identifier}`, notifications: [sent] },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(surveyQuery),
    async (c) => {
      const { limit, cursor: after, user } = c.req.valid('query');
      const context = contextOf(c);
      const id = c.req.param('id');
      const of = { survey: id, user: resolveUser(user, context.actor) };
      const found = await listSurveyNotifications(context, of, { limit, after });
      const { rows, next } = cutPage(found, limit, (row) => [row.dueAt, row.survey, row.key]);
      linkNext(c, next);
      const page: z.input<typeof ofSurvey> = {
        survey: `/survey/${id}`,
        notifications: rows.map(toNotification),
        ...(next && { next }),
      };
      return c.json(page);
    },
  );

const toNotification = (row: HistoryEntry): z.input<typeof notification> => {
  const waits = row.attempts === 0 && row.nextAttemptAt > row.dueAt;
  const note =
    row.state === null
      ? (pauseNote(row.dueAt, row.pausedUntil) ?? (waits ? waitNote(row.nextAttemptAt) : undefined))
      : undefined;
  return {
    identifier: occurrenceIdentifier(row.user, row.survey, row.revision, row.key),
    user: row.user,
    survey: row.survey,
    ...slotOf(row.key),
    dueAt: iso(row.dueAt),
    sentAt: row.state === 'sent' && row.settledAt !== null ? iso(row.settledAt) : null,
    counter: row.counter,
    state: row.state ?? (row.revision === row.currentRevision ? 'scheduled' : 'invalidated'),
    ...(row.reason !== null && { reason: row.reason }),
    ...(note !== undefined && { note }),
    timeZone: row.timeZone,
    deliveries: row.deliveries ?? [],
    ...(row.followUps !== null && { followUps: row.followUps }),
    ...(row.nextFollowUpAt !== null && { nextAt: iso(row.nextFollowUpAt) }),
    ...(row.shownAt !== null && { shownAt: iso(row.shownAt) }),
    ...(row.openedAt !== null && { openedAt: iso(row.openedAt) }),
    ...(row.dismissedAt !== null && { dismissedAt: iso(row.dismissedAt) }),
  };
};
