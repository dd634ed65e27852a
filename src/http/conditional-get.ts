import type { Context } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { hexOf } from '../identifiers.ts';
import type { Env } from './context.ts';
import { isReading } from './is-reading.ts';

const revalidate = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
    'link',
  ],
});

/**
 * Lets clients cache answers privately and revalidate them each time (RFC 9111). An answer without an ETag of its own
 * gets a weak one, the hash of its bytes, and becomes 304 when the client has them. Streamed answers get none: their
 * bytes are not known before they are sent.
 */
export const conditionalGet = createMiddleware<Env>(async (c, next) => {
  await next();
  const { headers, ok, status } = c.res;
  if (!isReading(c.req) || (!ok && status !== 304)) return;
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache');
  headers.append('vary', 'Authorization');
  if (!ok || c.get('streamed') || headers.has('etag')) return;
  await tag(c);
  await revalidate(c, async () => {});
});

/** Reads the body at once, which costs half as much as hono's clone and its stream, or takes the bytes of the route. */
async function tag(c: Context<Env>) {
  const { headers, status } = c.res;
  const known = c.get('bytes');
  const bytes = known ?? new Uint8Array(await c.res.arrayBuffer());
  const digest = await crypto.subtle.digest('SHA-1', bytes);
  headers.set('etag', `W/"${hexOf(new Uint8Array(digest))}"`);
  if (known) return;
  // Otherwise the setter copies the headers of the previous response.
  c.res = undefined;
  c.res = new Response(bytes, { status, headers });
}
