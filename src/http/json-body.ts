import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';

const largestBody = 1024 * 1024;

const limitStream = bodyLimit({ maxSize: largestBody, onError: refuse });

/** A body has at most 1 MiB. What declares its length is not opened: on Node that makes a new request. @throws request.too-large */
export const limitBody = createMiddleware(async (c, next) => {
  const length = c.req.header('content-length');
  if (length === undefined || c.req.header('transfer-encoding') !== undefined) return limitStream(c, next);
  if (Number(length) > largestBody) refuse();
  return next();
});

function refuse(): never {
  throw new Problem('request.too-large', 'Expected a body of at most 1 MiB.');
}

/**
 * A body that is sent must be declared as JSON, and be UTF-8 (RFC 8259, 8.1). Whether one was sent shows only
 * when it is read: runtimes differ in what they make of none. @throws request.not-json, request.malformed-json
 */
export const jsonBodies = createMiddleware(async (c, next) => {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength > 0) {
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
      throw new Problem('request.not-json', 'Expected the header Content-Type: application/json.');
    if (!isUtf8(bytes)) throw new Problem('request.malformed-json', 'Expected a JSON document in UTF-8.');
  }
  return next();
});

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A body means nothing to a request that reads (RFC 9110, 9.3.1), and none is looked for. */
export const unlessReading =
  (handler: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    c.req.method === 'GET' || c.req.method === 'HEAD' ? next() : handler(c, next);
