import { Hono } from 'hono';
import { z } from 'zod';
import { requireSelf, resolveUser } from '../http/auth/require-self.ts';
import type { Env } from '../http/context.ts';
import { iso } from '../http/fields.ts';
import { cursor, cutPage, linkNext } from '../http/lists/paging.ts';
import { count, query } from '../http/validation.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import {
  listSurveyNotifications,
  listUserNotifications,
  type Notification,
} from '../model/reminders/history.ts';
import * as docs from './docs/notifications.ts';

const page = {
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int(), z.string(), z.string()])).optional(),
};
const surveyQuery = z.strictObject({
  ...page,
  user: z
    .string({ error: 'Expected the identifier of a user.' })
    .regex(/^(?:me|[0-9a-f]{32})$/, 'Expected the identifier of a user.'),
});

export const notifications = new Hono<Env>()
  .get('/user/:id/notifications', docs.listOfUser, query(z.strictObject(page)), async (c) => {
    const { limit, cursor: after } = c.req.valid('query');
    const user = await requireSelf(c, c.req.param('id'));
    const found = await listUserNotifications(c.get('services').db, user, { limit, after });
    const { rows, next } = cutPage(found, limit, (row) => [row.dueAt, row.survey, row.on]);
    linkNext(c, next);
    return c.json({ user: `/user/${user}`, notifications: rows.map(toNotification), ...(next && { next }) });
  })
  .get('/survey/:id/notifications', docs.listOfSurvey, query(surveyQuery), async (c) => {
    const { limit, cursor: after, user } = c.req.valid('query');
    const survey = c.req.param('id');
    const actor = c.get('actor');
    const of = { actor, survey, user: resolveUser(user, actor) };
    const found = await listSurveyNotifications(c.get('services').db, of, { limit, after });
    const { rows, next } = cutPage(found, limit, (row) => [row.dueAt, row.survey, row.on]);
    linkNext(c, next);
    return c.json({
      survey: `/survey/${survey}`,
      notifications: rows.map(toNotification),
      ...(next && { next }),
    });
  });

const toNotification = (row: Notification) => ({
  identifier: occurrenceIdentifier(row.user, row.survey, row.revision, row.on),
  user: row.user,
  survey: row.survey,
  on: row.on,
  dueAt: iso(row.dueAt),
  sentAt: row.state === 'sent' && row.settledAt !== null ? iso(row.settledAt) : null,
  counter: row.counter,
  state: row.state ?? (row.revision === row.currentRevision ? 'scheduled' : 'invalidated'),
  ...(row.reason !== null && { reason: row.reason }),
  timeZone: row.timeZone,
  deliveries: row.deliveries ?? [],
});
