import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';

const requestHeaders = ['authorization', 'content-type', 'accept', 'if-match', 'if-none-match'];
const exposedHeaders = [
  'allow',
  'etag',
  'link',
  'location',
  'retry-after',
  'www-authenticate',
  'x-request-id',
];
const preflightSeconds = 7200;

/**
 * Lets pages of these origins call the service (Fetch Standard, "CORS protocol"); without origins it adds no headers.
 * A preflight carries no token, so this must come before authentication. Tokens are sent in a header, never in a cookie,
 * so credentials are not allowed.
 */
export function crossOrigin(origins: readonly string[]) {
  if (origins.length === 0) return createMiddleware<Env>((_, next) => next());
  const allowed = cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: requestHeaders,
    exposeHeaders: exposedHeaders,
    maxAge: preflightSeconds,
  });
  return createMiddleware<Env>(async (c, next) => {
    if (origins.includes(c.req.header('origin') ?? '')) return allowed(c, next);
    await next();
    c.res.headers.append('vary', 'Origin');
  });
}
