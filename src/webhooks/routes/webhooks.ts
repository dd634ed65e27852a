import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { iso } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, nothing, uri } from '../../http/openapi/shapes.ts';
import { body, chosenIdentifier, text } from '../../http/validation.ts';
import { requireTurn } from '../call-limit.ts';
import { testWebhook } from '../delivery.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  replayFrom,
  rotateSecret,
  updateWebhook,
  type Webhook,
} from '../webhooks.ts';

const tag = 'Webhooks';

const kindNames = ['study', 'case', 'response', 'survey', 'member'] as const;
const expectedKinds = `Expected a list of one to five of ${kindNames.join(', ')}, each once.`;
const kinds = z
  .array(z.enum(kindNames, { error: `Expected one of ${kindNames.join(', ')}.` }), { error: expectedKinds })
  .min(1, expectedKinds)
  .max(kindNames.length, expectedKinds)
  .refine((list) => new Set(list).size === list.length, expectedKinds)
  .meta({ description: 'Only changes of these kinds are sent; all, if omitted.' });
const expectedAfter = 'Expected a sequence: a whole number from 0.';
const after = z
  .int(expectedAfter)
  .min(0, expectedAfter)
  .max(Number.MAX_SAFE_INTEGER, expectedAfter)
  .meta({ description: 'The webhook begins again after this sequence.' });
const url = text(1, 2000).meta({
  description:
    'https, without a user name and password, on the public internet: no private address, no name that leads to such addresses only. In local mode also http to the loopback address.',
});

const createBody = z.strictObject({
  url,
  kinds: kinds.optional(),
  after: after
    .optional()
    .meta({ description: 'The webhook begins after this sequence; if omitted, after the latest one.' }),
  identifier: chosenIdentifier.optional(),
});
const updateBody = z
  .strictObject({
    url,
    kinds,
    state: z.enum(['active', 'paused'], { error: 'Expected active or paused.' }).meta({
      description:
        '`active` also resumes a `disabled` webhook, and calls the receiver of a `failing` one at once.',
    }),
  })
  .partial();
const replayBody = z.strictObject({ after });

const delivery = z
  .strictObject({
    id: z.string().meta({ description: 'The header `webhook-id`.', examples: ['msg_01a4'] }),
    at,
    status: z.int().nullable().meta({ description: 'Of the answer; null without an answer.' }),
    durationMs: z.int(),
    changes: z.int().meta({ description: 'The number of changes that the call named; a test names none.' }),
    error: z.string().optional().meta({
      description:
        'The reason why the call does not count as received: the status, or one text for every receiver that did not answer.',
    }),
  })
  .meta({ id: 'WebhookDelivery' });
const webhook = z
  .strictObject({
    uri: uri('/webhook'),
    identifier: id,
    investigation: uri('investigation'),
    url: z.string(),
    kinds: z.array(z.enum(kindNames)),
    state: z.enum(['active', 'paused', 'failing', 'disabled']).meta({
      description:
        '`failing`: the last call was not received, and is tried again. `disabled`: the receiver answered 410, or nothing was received for five days.',
    }),
    position: z.int().meta({ description: 'The sequence up to which changes are received.' }),
    latest: z.int().meta({ description: 'The latest sequence of the study.' }),
    createdAt: at,
    failingSince: at.optional(),
    nextAttemptAt: at.optional().meta({ description: 'Only of failing webhooks.' }),
    oldSecretUntil: at.optional().meta({ description: 'Until this instant the previous secret signs too.' }),
    lastDelivery: delivery.optional(),
    secret: z.string().optional().meta({
      description: 'Only in the answers to the creation of the webhook and to the replacement of the secret.',
    }),
  })
  .meta({ id: 'Webhook' });
const webhookList = z
  .strictObject({ investigation: uri('investigation'), webhooks: z.array(webhook) })
  .meta({ id: 'Webhooks' });
const deliveryList = z
  .strictObject({ webhook: uri('webhook'), deliveries: z.array(delivery) })
  .meta({ id: 'WebhookDeliveries' });

const deliveryExample: z.input<typeof delivery> = {
  id: 'msg_01a4050c04907be093ba8cfe0a2c1bfe',
  at: '2027-03-02T07:15:00.000Z',
  status: 204,
  durationMs: 84,
  changes: 2,
};
const example: z.input<typeof webhook> = {
  uri: '/webhook/01a40511c2a07c5db0f6cb7d16b1a2f3',
  identifier: '01a40511c2a07c5db0f6cb7d16b1a2f3',
  investigation: `investigation/${examples.study.identifier}`,
  url: 'https://pipeline.example.org/fieldbell',
  kinds: ['case', 'response'],
  state: 'active',
  position: 41,
  latest: 41,
  createdAt: '2027-03-01T09:00:00.000Z',
  lastDelivery: deliveryExample,
};
const { lastDelivery: _, ...newExample } = example;
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const problems = ['resource.not-found', 'action.forbidden', 'limit.reached'] as const;

export const webhooks = new Hono<Env>()
  .post(
    '/investigation/:id/webhook',
    documented({
      id: 'createWebhook',
      tag,
      summary: 'Adds a webhook to a study',
      description:
        'For owners; at most ten a study. The receiver is called with the changes of the study after the position of the webhook, signed by Standard Webhooks 1.0. With an `identifier` the request may be repeated safely; the secret is in the first answer only.',
      request: { url: example.url, kinds: example.kinds },
      answers: {
        201: json('The webhook, with its secret.', webhook, { ...newExample, secret }),
        200: json('The same webhook was added before.', webhook, example),
      },
      problems: [...problems, 'identifier.taken', 'study.archived'],
    }),
    body(createBody),
    async (c) => {
      const context = contextOf(c);
      const { webhook, secret, created } = await createWebhook(
        context,
        c.req.param('id'),
        c.req.valid('json'),
      );
      const status = statusOf(c, { created, location: `/webhook/${webhook.id}` });
      return c.json(toWebhook(webhook, secret), status);
    },
  )
  .get(
    '/investigation/:id/webhooks',
    documented({
      id: 'listWebhooks',
      tag,
      summary: 'Lists the webhooks of a study',
      description: 'For owners, in order of creation.',
      answers: {
        200: json('The webhooks.', webhookList, {
          investigation: example.investigation,
          webhooks: [example],
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const study = c.req.param('id');
      const rows = await listWebhooks(contextOf(c), study);
      const list: z.input<typeof webhookList> = {
        investigation: `investigation/${study}`,
        webhooks: rows.map((row) => toWebhook(row)),
      };
      return c.json(list);
    },
  )
  .get(
    '/webhook/:id',
    documented({
      id: 'readWebhook',
      tag,
      summary: 'Reads a webhook',
      answers: { 200: json('The webhook.', webhook, example) },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => c.json(toWebhook(await readWebhook(contextOf(c), c.req.param('id')))),
  )
  .patch(
    '/webhook/:id',
    documented({
      id: 'updateWebhook',
      tag,
      summary: 'Changes, pauses or resumes a webhook',
      request: { state: 'paused' },
      answers: { 200: json('The webhook as it is now.', webhook, { ...example, state: 'paused' }) },
      problems,
    }),
    body(updateBody),
    async (c) => {
      const { state, ...change } = c.req.valid('json');
      return c.json(
        toWebhook(await updateWebhook(contextOf(c), c.req.param('id'), { ...change, status: state })),
      );
    },
  )
  .delete(
    '/webhook/:id',
    documented({
      id: 'deleteWebhook',
      tag,
      summary: 'Removes a webhook',
      answers: nothing('The webhook is removed.'),
      problems,
    }),
    async (c) => {
      await deleteWebhook(contextOf(c), c.req.param('id'));
      return c.body(null, 204);
    },
  )
  .post(
    '/webhook/:id/rotate',
    documented({
      id: 'rotateWebhookSecret',
      tag,
      summary: 'Gives a webhook a new secret',
      description: 'The old secret signs too for 24 hours.',
      answers: {
        200: json('The webhook, with its new secret.', webhook, {
          ...example,
          secret,
          oldSecretUntil: '2027-03-03T07:15:00.000Z',
        }),
      },
      problems,
    }),
    async (c) => {
      const { webhook, secret } = await rotateSecret(contextOf(c), c.req.param('id'));
      return c.json(toWebhook(webhook, secret));
    },
  )
  .post(
    '/webhook/:id/replay',
    documented({
      id: 'replayWebhook',
      tag,
      summary: 'Moves the position of a webhook',
      description:
        'The receiver is called again with the changes after that sequence, under new values of `webhook-id`. Tests and replays: one of a webhook in ten seconds, five of all webhooks of an owner.',
      request: { after: 0 },
      answers: { 200: json('The webhook as it is now.', webhook, { ...example, position: 0 }) },
      problems,
    }),
    body(replayBody),
    async (c) => {
      const { after } = c.req.valid('json');
      return c.json(toWebhook(await replayFrom(contextOf(c), c.req.param('id'), after)));
    },
  )
  .post(
    '/webhook/:id/test',
    documented({
      id: 'testWebhook',
      tag,
      summary: 'Calls the receiver with a test',
      description:
        'The `type` of a test is `webhook.test`. A test names no change, and moves no position. Tests and replays: one of a webhook in ten seconds, five of all webhooks of an owner.',
      answers: { 200: json('The outcome of the call.', delivery, { ...deliveryExample, changes: 0 }) },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const context = contextOf(c);
      const webhook = await readWebhook(context, c.req.param('id'));
      await requireTurn(context, webhook);
      return c.json(toDelivery(await testWebhook(c.get('services'), webhook.id)));
    },
  )
  .get(
    '/webhook/:id/deliveries',
    documented({
      id: 'listWebhookDeliveries',
      tag,
      summary: 'Lists the last 50 calls of a webhook',
      description: 'Newest first, tests included.',
      answers: {
        200: json('The calls.', deliveryList, {
          webhook: `webhook/${example.identifier}`,
          deliveries: [deliveryExample],
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const { id, calls } = await readWebhook(contextOf(c), c.req.param('id'));
      const list: z.input<typeof deliveryList> = {
        webhook: `webhook/${id}`,
        deliveries: calls.map(toDelivery),
      };
      return c.json(list);
    },
  );

const toDelivery = ({ id, at, status, ms, changes, error }: Webhook['calls'][number]) => ({
  id,
  at: iso(at),
  status,
  durationMs: ms,
  changes,
  ...(error !== undefined && { error }),
});

function toWebhook(row: Webhook, secret?: string): z.input<typeof webhook> {
  const isFailing = row.status === 'active' && row.failingSince !== null;
  const [last] = row.calls;
  return {
    uri: `/webhook/${row.id}`,
    identifier: row.id,
    investigation: `investigation/${row.investigationId}`,
    url: row.url,
    kinds: row.kinds ?? [...kindNames],
    state: isFailing ? 'failing' : row.status,
    position: row.position,
    latest: row.latest,
    createdAt: iso(row.createdAt),
    ...(row.failingSince !== null && { failingSince: iso(row.failingSince) }),
    ...(isFailing && row.nextAttemptAt !== null && { nextAttemptAt: iso(row.nextAttemptAt) }),
    ...(row.previousUntil !== null && { oldSecretUntil: iso(row.previousUntil) }),
    ...(last && { lastDelivery: toDelivery(last) }),
    ...(secret !== undefined && { secret }),
  };
}
