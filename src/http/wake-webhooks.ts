import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';
import { isReading } from './is-reading.ts';

const identifier = /[0-9a-f]{32}/;

/** After a request that may have changed a study, its webhooks are looked at; those of the caller's studies after a change of the caller. */
export const wakeWebhooks = createMiddleware<Env>(async (c, next) => {
  await next();
  if (isReading(c.req) || c.res.status >= 400) return;
  const named = identifier.exec(c.req.path) ?? identifier.exec(c.res.headers.get('location') ?? '');
  const changed = named?.[0] ?? c.get('actor');
  if (changed !== undefined) c.get('services').webhooks?.wake?.(changed);
});
