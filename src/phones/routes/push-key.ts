import { Hono } from 'hono';
import * as z from 'zod';
import { notFound } from '../../errors.ts';
import type { Env } from '../../http/context.ts';
import { documented, json } from '../../http/openapi/documented.ts';

const pushKey = z
  .strictObject({
    publicKey: z
      .string()
      .meta({ description: 'The `applicationServerKey` of a subscription: a point of P-256, in base64url.' }),
  })
  .meta({ id: 'PushKey' });

/** The public half of the key that signs web pushes. Anyone may read it. */
export const pushKeyRoute = new Hono<Env>().get(
  '/push/key',
  documented({
    id: 'readPushKey',
    tag: 'Devices',
    summary: 'The key with which browsers subscribe to pushes',
    description: 'The route exists only with a configured `VAPID_PRIVATE_KEY`.',
    access: 'open',
    answers: {
      200: json('The public key (RFC 8292).', pushKey, {
        publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
      }),
    },
    problems: ['resource.not-found'],
  }),
  async (c) => {
    const publicKey = await c.get('services').push.webPushKey?.();
    if (publicKey === undefined) throw notFound('resource');
    return c.json<z.input<typeof pushKey>>({ publicKey });
  },
);
