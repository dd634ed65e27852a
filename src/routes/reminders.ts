import { Hono } from 'hono';
import { z } from 'zod';
import { forbidden, notFound } from '../errors.ts';
import { resolveUser } from '../http/auth/require-self.ts';
import type { Env } from '../http/context.ts';
import { date, instant, iso, timeZone, wallTime } from '../http/fields.ts';
import { previewReminders } from '../http/reminders.ts';
import { body, count, query } from '../http/validation.ts';
import { selectSurveyRole } from '../model/reminders/history.ts';
import { readSurveyReminders } from '../model/reminders/state.ts';
import { occurrencesFrom } from '../schedule/occurrences.ts';
import { preview } from '../schedule/preview.ts';
import * as docs from './docs/reminders.ts';

const mostOccurrences = 400;
const previewBody = z
  .strictObject({
    reminders: previewReminders,
    timeZone,
    customRemindersTime: wallTime.nullable().optional(),
    startsOn: date.optional(),
    downloadedOn: date.optional(),
    from: instant.optional(),
    count: z
      .int({ error: `Expected a whole number from 1 to ${mostOccurrences}.` })
      .min(1, `Expected a whole number from 1 to ${mostOccurrences}.`)
      .max(mostOccurrences, `Expected a whole number from 1 to ${mostOccurrences}.`)
      .default(10),
  })
  .superRefine((value, ctx) => {
    const [needed, other] =
      value.reminders.type === 'rolling'
        ? (['startsOn', 'downloadedOn'] as const)
        : (['downloadedOn', 'startsOn'] as const);
    if (value[needed] === undefined)
      ctx.addIssue({
        code: 'custom',
        path: [needed],
        message: `Expected a date: ${value.reminders.type} reminders start from it.`,
      });
    if (value[other] !== undefined)
      ctx.addIssue({
        code: 'custom',
        path: [other],
        message: `Unexpected: ${value.reminders.type} reminders start from ${needed}.`,
      });
  });
const upcomingQuery = z.strictObject({
  user: z
    .string()
    .regex(/^(?:me|[0-9a-f]{32})$/, 'Expected the identifier of a user.')
    .default('me'),
  count: count(mostOccurrences, 10),
});

export const reminders = new Hono<Env>()
  .post('/reminders/preview', docs.preview, body(previewBody), (c) => {
    const { startsOn, downloadedOn, from, customRemindersTime, ...request } = c.req.valid('json');
    const occurrences = preview({
      ...request,
      ...(customRemindersTime && { customRemindersTime }),
      ...(startsOn && { startsOn }),
      ...(downloadedOn && { downloadedOn }),
      ...(from !== undefined && { from }),
    });
    return c.json({ occurrences });
  })
  .get('/survey/:id/reminders/upcoming', docs.upcoming, query(upcomingQuery), async (c) => {
    const { db, now } = c.get('services');
    const { user: asked, count: most } = c.req.valid('query');
    const actor = c.get('actor');
    const user = resolveUser(asked, actor);
    const [me] = await selectSurveyRole(db, actor, c.req.param('id'));
    if (!me) throw notFound('survey');
    if (user !== actor && me.role === 'responder')
      throw forbidden('Only owners and editors see the reminders of others.');
    const agenda = await readSurveyReminders({ db }, user, c.req.param('id'));
    const found = agenda ? occurrencesFrom(agenda, now(), most) : [];
    return c.json({
      occurrences: found.map((occurrence) => ({ ...occurrence, dueAt: iso(occurrence.dueAt) })),
    });
  });
