import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';

const maxBytes = 1024 * 1024;

const limitStream = bodyLimit({ maxSize: maxBytes, onError: refuse });

/**
 * Limits bodies to 1 MiB. A body that declares its length is not opened, since on Node that builds a new request.
 * @throws request.too-large
 */
export const limitBody = createMiddleware(async (c, next) => {
  const length = c.req.header('content-length');
  if (length === undefined || c.req.header('transfer-encoding') !== undefined) return limitStream(c, next);
  if (Number(length) > maxBytes) refuse();
  return next();
});

function refuse(): never {
  throw new Problem('request.too-large', 'Expected a body of at most 1 MiB.');
}

/**
 * Refuses a body that is not declared as JSON, or is not UTF-8 (RFC 8259, 8.1). Reads the body to find out whether there
 * is one: runtimes represent an empty body differently. @throws request.not-json, request.malformed-json
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

/** Skips the handler for GET and HEAD, whose bodies have no meaning (RFC 9110, 9.3.1). */
export const unlessReading =
  (handler: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    c.req.method === 'GET' || c.req.method === 'HEAD' ? next() : handler(c, next);
