import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';

const maxBytes = 1024 * 1024;

const limitStream = bodyLimit({ maxSize: maxBytes, onError: refuse });

/**
 * Reads a body of at most 1 MiB. An error while reading means that the client hung up: runtimes have no common error for
 * that, and no other code runs in here. @throws request.too-large, client.closed
 */
export const limitBody = createMiddleware(async (c, next) => {
  const read = async () => {
    await c.req.arrayBuffer();
  };
  const length = c.req.header('content-length');
  if (Number(length) > maxBytes) refuse();
  try {
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) await limitStream(c, read);
    else await read();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('client.closed', 'The client hung up before its request was complete.', { cause });
  }
  await next();
});

function refuse(): never {
  throw new Problem('request.too-large', 'Expected a body of at most 1 MiB.');
}

/**
 * Refuses a body that is not declared as JSON, or is not UTF-8 (RFC 8259, 8.1). Its length tells whether there is a body:
 * runtimes represent an empty one differently. @throws request.not-json, request.malformed-json
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
