import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';

const sent = ['authorization', 'content-type', 'accept', 'if-match', 'if-none-match', 'x-d1-bookmark'];
const shown = ['etag', 'link', 'retry-after', 'x-d1-bookmark', 'x-request-id'];
const preflightSeconds = 7200;

/**
 * Pages of these origins may call the service (Fetch Standard, "CORS protocol"); with none, it says nothing of origins.
 * A preflight carries no token, so this stands before whatever asks for one. Tokens are sent as a header, never as a
 * cookie, so that credentials are not allowed.
 */
export function crossOrigin(origins: readonly string[]) {
  if (origins.length === 0) return createMiddleware<Env>((_, next) => next());
  const allowed = cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: sent,
    exposeHeaders: shown,
    maxAge: preflightSeconds,
  });
  return createMiddleware<Env>(async (c, next) => {
    if (origins.includes(c.req.header('origin') ?? '')) return allowed(c, next);
    await next();
    c.res.headers.append('vary', 'Origin');
  });
}
