import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';

/** After a request that may have changed a study, the webhooks that are due are looked at. */
export const wakeWebhooks = createMiddleware<Env>(async (c, next) => {
  await next();
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.res.status < 400)
    c.get('services').webhooks?.wake?.();
});
