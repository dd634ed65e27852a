import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { instant, iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { at, nothing } from '../../http/openapi/shapes.ts';
import { body, bounded } from '../../http/validation.ts';
import { sent } from '../notification-shapes.ts';
import { receiptEvents, recordReceipt, recordReceipts, refusals } from '../receipts.ts';
import { snooze } from '../snoozes.ts';

const tag = 'Reminders';

const [shown, opened] = receiptEvents;
const event = z.enum(receiptEvents, { error: 'Expected shown, opened or dismissed.' });
const clock = instant.optional().meta({
  description:
    "The phone's own time as it sends the request. It moves `at` by its difference to the service's clock. Without it an `at` up to five minutes ahead counts as now.",
});
const receiptBody = z.strictObject({
  clock,
  event,
  at: instant
    .optional()
    .meta({ description: 'Not before the push, and not in the future; now when omitted.' }),
});

const expectedNotification = 'Expected the identifier of a notification.';
const receiptsBody = z.strictObject({
  clock,
  receipts: z
    .array(
      z.strictObject({
        notification: bounded(100, expectedNotification),
        event,
        at: instant,
      }),
      { error: 'Expected a list of 1 to 500 receipts.' },
    )
    .min(1, 'Expected 1 to 500 receipts.')
    .max(500, 'Expected 1 to 500 receipts.'),
});
const receiptsAnswer = z
  .strictObject({
    stored: z
      .int()
      .meta({ description: 'The number of stored receipts, including those that change nothing.' }),
    refused: z.array(
      z.strictObject({
        pointer: z.string().meta({ description: 'JSON pointer to the receipt in the body.' }),
        notification: z.string(),
        event: z.enum(receiptEvents),
        reason: z.enum(Object.keys(refusals) as [keyof typeof refusals]).meta({
          description:
            "`unknown`: there is no such notification, or it is somebody else's. `not-pushed`: the notification is not due yet. `before-push`, `after-now`: `at` cannot be right.",
        }),
        detail: z.string(),
      }),
    ),
  })
  .meta({ id: 'Receipts' });

const expectedMinutes = 'Expected minutes from 5 to 240.';
const snoozeBody = z.strictObject({
  minutes: z.int({ error: expectedMinutes }).min(5, expectedMinutes).max(240, expectedMinutes),
});
const snoozed = z.strictObject({ nextAt: at }).meta({ id: 'Snoozed' });

export const receipts = new Hono<Env>()
  .post(
    '/notification/:id/receipt',
    documented({
      id: 'createReceipt',
      tag,
      summary: 'Reports that a phone showed a notification, or that the user opened or dismissed it',
      description:
        'The earliest receipt of each kind counts, in whatever order receipts arrive. 400 says why a receipt is refused: not pushed yet, before the push, or in the future.',
      request: { event: opened, at: '2027-03-01T20:41:10.000Z' },
      answers: nothing('The receipt is stored.'),
      problems: ['resource.not-found'],
    }),
    body(receiptBody),
    async (c) => {
      const context = contextOf(c);
      const { event, at, clock } = c.req.valid('json');
      // Without a time it is now, whatever the phone's clock says.
      const when = at === undefined ? { at: context.now } : { at, clock };
      await recordReceipt(context, c.req.param('id'), { event, ...when });
      return c.body(null, 204);
    },
  )
  .post(
    '/user/me/receipts',
    documented({
      id: 'createReceipts',
      tag,
      summary: 'Reports receipts of many notifications, for a phone that was offline',
      description:
        'The earliest receipt of each kind and notification counts, in whatever order receipts arrive. Valid receipts are stored, and the answer lists the others. Repeating the request changes nothing.',
      request: {
        receipts: [
          { notification: sent.identifier, event: shown, at: '2027-03-01T20:40:58.000Z' },
          { notification: sent.identifier, event: opened, at: '2027-03-01T20:29:00.000Z' },
        ],
      },
      answers: {
        200: json('The number of stored receipts, and the refused ones.', receiptsAnswer, {
          stored: 1,
          refused: [
            {
              pointer: '/receipts/1',
              notification: sent.identifier,
              event: opened,
              reason: 'before-push',
              detail: refusals['before-push'],
            },
          ],
        }),
      },
    }),
    body(receiptsBody),
    async (c) => {
      const { receipts, clock } = c.req.valid('json');
      const found = await recordReceipts(contextOf(c), receipts, clock);
      const refused = receipts.flatMap(({ notification, event }, n) => {
        const reason = found[n];
        return reason
          ? [{ pointer: `/receipts/${n}`, notification, event, reason, detail: refusals[reason] }]
          : [];
      });
      const answer: z.input<typeof receiptsAnswer> = { stored: receipts.length - refused.length, refused };
      return c.json(answer);
    },
  )
  .post(
    '/notification/:id/snooze',
    documented({
      id: 'snoozeNotification',
      tag,
      summary: 'Asks for one more push of a reminder that was sent',
      description:
        'A new snooze replaces one that still waits. Nudges wait until the snooze, and are counted from its push.',
      request: { minutes: 30 },
      answers: { 202: json('The instant of the push.', snoozed, { nextAt: '2027-03-01T21:11:10.000Z' }) },
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
