import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';

/**
 * A body that is sent must be declared as JSON, and be UTF-8 (RFC 8259, 8.1). Whether one was sent shows only
 * when it is read: runtimes differ in what they make of none. @throws request.not-json, request.malformed-json
 */
export const jsonBodies = createMiddleware(async (c, next) => {
  const bytes = c.req.raw.body === null ? null : await c.req.arrayBuffer();
  if (bytes && bytes.byteLength > 0) {
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
      throw new Problem('request.not-json', 'Expected the header Content-Type: application/json.');
    if (!isUtf8(bytes)) throw new Problem('request.malformed-json', 'Expected a JSON document in UTF-8.');
  }
  await next();
});

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
