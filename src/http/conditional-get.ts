import type { Context } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { hexOf } from '../identifiers.ts';
import type { Env } from './context.ts';

const revalidate = etag({
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
export const conditionalGet = createMiddleware<Env>(async (c, next) => {
  await next();
  const { headers, ok, status } = c.res;
  if ((c.req.method !== 'GET' && c.req.method !== 'HEAD') || (!ok && status !== 304)) return;
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache');
  headers.append('vary', 'Authorization');
  if (!ok || c.get('streamed') || headers.has('etag')) return;
  await tag(c);
  await revalidate(c, async () => {});
});

/** The bytes are all there: taking them whole costs half of what a clone and its stream do, and less who knows them. */
async function tag(c: Context<Env>) {
  const { headers, status } = c.res;
  const known = c.get('bytes');
  const bytes = known ?? new Uint8Array(await c.res.arrayBuffer());
  const digest = await crypto.subtle.digest('SHA-1', bytes);
  headers.set('etag', `W/"${hexOf(new Uint8Array(digest))}"`);
  if (known) return;
  // Otherwise its setter would copy the headers of the one before.
  c.res = undefined;
  c.res = new Response(bytes, { status, headers });
}
