import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { invalidParameter } from '../../errors.ts';
import { requireSelf, resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { instant, memberCode } from '../../http/fields.ts';
import { cursor, cutPage, encodeCursor, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { code, next, uri } from '../../http/openapi/shapes.ts';
import { count, identifier, query, userOrMe } from '../../http/validation.ts';
import {
  listStudyNotifications,
  listSurveyNotifications,
  listUserNotifications,
  type Somebody,
} from '../history.ts';
import { type HistoryPage, keyOfEntry, type Listed, startBefore } from '../history-page.ts';
import { notification, sent, toNotification } from '../notification-shapes.ts';
import { readNotification } from '../notifications.ts';

const tag = 'Reminders';

const pageQuery = {
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int().min(0), z.string(), z.string(), z.number().int()])).optional(),
};
const ofCaller = z.strictObject({
  ...pageQuery,
  survey: identifier.optional().meta({ description: 'Only reminders of this survey.' }),
  since: instant.optional().meta({ description: 'Only reminders that were due at or after this instant.' }),
});
const ofSomebody = z.strictObject({
  ...pageQuery,
  user: userOrMe.optional(),
  code: memberCode.optional().meta({ description: 'Of a member, in place of `user`.' }),
  before: instant.optional().meta({ description: 'Only reminders that were due before this instant.' }),
});

/** @throws request.invalid */
function somebody({ user, code }: { user?: string | undefined; code?: string | undefined }, actor: string) {
  if (user !== undefined && code === undefined) return { user: resolveUser(user, actor) };
  if (code !== undefined && user === undefined) return { code };
  throw invalidParameter(user === undefined ? 'user' : 'code', 'Expected either a user or a code.');
}

function pageOf(c: Context<Env>, found: Listed, limit: number) {
  const { rows, next = found.end && encodeCursor(found.end) } = cutPage(found.rows, limit, keyOfEntry);
  linkNext(c, next);
  return { notifications: rows.map(toNotification), ...(next && { next }) };
}

/** The page of somebody's notifications, with their code. */
async function pageOfMember(
  c: Context<Env>,
  { limit, cursor, before, ...asked }: z.output<typeof ofSomebody>,
  list: (who: Somebody, page: HistoryPage) => Promise<Listed & { code: string | null }>,
) {
  const who = somebody(asked, contextOf(c).actor);
  const { code, ...found } = await list(who, { limit, after: cursor ?? startBefore(before) });
  return { ...(code !== null && { code }), ...pageOf(c, found, limit) };
}

const notificationList = z.array(notification);
const ofUser = z
  .strictObject({ user: uri('/user'), notifications: notificationList, next })
  .meta({ id: 'UserNotifications' });
const ofSurvey = z
  .strictObject({ survey: uri('/survey'), code, notifications: notificationList, next })
  .meta({ id: 'SurveyNotifications' });
const ofStudy = z
  .strictObject({ investigation: uri('investigation'), code, notifications: notificationList, next })
  .meta({ id: 'StudyNotifications' });

const { responder, study, survey } = examples;

export const notifications = new Hono<Env>()
  .get(
    '/user/:id/notifications',
    documented({
      id: 'listUserNotifications',
      tag,
      summary: "Lists the caller's past and upcoming reminders",
      answers: {
        200: json('Newest first.', ofUser, { user: `/user/${responder.identifier}`, notifications: [sent] }, [
          'Link',
        ]),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(ofCaller),
    async (c) => {
      const { cursor: after, ...asked } = c.req.valid('query');
      const context = contextOf(c);
      const user = await requireSelf(context, c.req.param('id'));
      const found = await listUserNotifications(context, user, { ...asked, after });
      const page: z.input<typeof ofUser> = { user: `/user/${user}`, ...pageOf(c, found, asked.limit) };
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
    query(ofSomebody),
    async (c) => {
      const id = c.req.param('id');
      const page: z.input<typeof ofSurvey> = {
        survey: `/survey/${id}`,
        ...(await pageOfMember(c, c.req.valid('query'), (who, page) =>
          listSurveyNotifications(contextOf(c), id, who, page),
        )),
      };
      return c.json(page);
    },
  )
  .get(
    '/investigation/:id/notifications',
    documented({
      id: 'listStudyNotifications',
      tag,
      summary: "Lists a participant's notifications for all surveys of a study",
      answers: {
        200: json(
          'Newest first.',
          ofStudy,
          { investigation: `investigation/${study.identifier}`, notifications: [sent] },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(ofSomebody),
    async (c) => {
      const id = c.req.param('id');
      const page: z.input<typeof ofStudy> = {
        investigation: `investigation/${id}`,
        ...(await pageOfMember(c, c.req.valid('query'), (who, page) =>
          listStudyNotifications(contextOf(c), id, who, page),
        )),
      };
      return c.json(page);
    },
  )
  .get(
    '/notification/:id',
    documented({
      id: 'readNotification',
      tag,
      summary: 'Reads a notification',
      description:
        "Users read their own notifications; owners, editors and monitors also those of their study's members.",
      answers: { 200: json('The notification.', notification, sent) },
      problems: ['resource.not-found'],
    }),
    async (c) => c.json(toNotification(await readNotification(contextOf(c), c.req.param('id')))),
  );
