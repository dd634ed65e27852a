import { Hono } from 'hono';
import { z } from 'zod';
import { contextOf, type Env } from '../http/context.ts';
import { instant, iso } from '../http/fields.ts';
import { notification, sent, toNotification } from '../http/notification.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { at, nothing } from '../http/openapi/shapes.ts';
import { body } from '../http/validation.ts';
import { readNotification, receiptEvents, recordReceipt, snooze } from '../model/reminders/receipts.ts';

const tag = 'Reminders';

const receiptBody = z.strictObject({
  event: z.enum(receiptEvents, { error: 'Expected shown, opened or dismissed.' }),
  at: instant
    .optional()
    .meta({ description: 'Not before the push, and not after now, which is the default.' }),
});

const expectedMinutes = 'Expected minutes from 5 to 240.';
const snoozeBody = z.strictObject({
  minutes: z.int({ error: expectedMinutes }).min(5, expectedMinutes).max(240, expectedMinutes),
});
const snoozed = z.strictObject({ nextAt: at }).meta({ id: 'Snoozed' });

export const receipts = new Hono<Env>()
  .get(
    '/notification/:id',
    documented({
      id: 'readNotification',
      tag,
      summary: 'Reads a notification, as the history has it',
      description: "The caller's own; owners and editors read those of their study's members.",
      answers: { 200: json('The notification.', notification, sent) },
      problems: ['resource.not-found'],
    }),
    async (c) => c.json(toNotification(await readNotification(contextOf(c), c.req.param('id')))),
  )
  .post(
    '/notification/:id/receipt',
    documented({
      id: 'createReceipt',
      tag,
      summary: 'Tells what became of a notification on the phone',
      description: 'The first of each kind counts.',
      request: { event: receiptEvents[1], at: '2027-03-01T20:41:10.000Z' },
      answers: nothing('It is noted.'),
      problems: ['resource.not-found'],
    }),
    body(receiptBody),
    async (c) => {
      const context = contextOf(c);
      const { event, at = context.now } = c.req.valid('json');
      await recordReceipt(context, c.req.param('id'), { event, at });
      return c.body(null, 204);
    },
  )
  .post(
    '/notification/:id/snooze',
    documented({
      id: 'snoozeNotification',
      tag,
      summary: 'Asks for one more push of a reminder that was sent',
      description: 'In place of a snooze that still waits. Nudges wait until then.',
      request: { minutes: 30 },
      answers: { 202: json('It comes then.', snoozed, { nextAt: '2027-03-01T21:11:10.000Z' }) },
      problems: ['resource.not-found', 'notification.expired', 'notification.answered'],
    }),
    body(snoozeBody),
    async (c) => {
      const context = contextOf(c);
      const nextAt = await snooze(context, c.req.param('id'), c.req.valid('json').minutes);
      await c.get('services').alarms.arm(context.actor, nextAt);
      const answer: z.input<typeof snoozed> = { nextAt: iso(nextAt) };
      return c.json(answer, 202);
    },
  );
