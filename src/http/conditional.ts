import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import type { Env } from './context.ts';

const weak = etag({
  weak: true,
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
    'link',
    'x-d1-bookmark',
  ],
});

/**
 * Answers may be kept by the client that asked, and are asked for again each time (RFC 9111). Those without an ETag of
 * their own get a weak one of their bytes, and 304 when the client has these. What is streamed has no end to wait for.
 */
export const conditional = createMiddleware<Env>(async (c, next) => {
  await next();
  if ((c.req.method !== 'GET' && c.req.method !== 'HEAD') || (!c.res.ok && c.res.status !== 304)) return;
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'private, no-cache');
  c.header('vary', 'Authorization', { append: true });
  if (c.res.ok && !c.get('streamed') && !c.res.headers.has('etag')) await weak(c, async () => {});
});
