import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { invalid, Problem } from '../errors.ts';
import { exceededBound } from './body-shape.ts';
import { isReading } from './is-reading.ts';

/** The largest body, in KiB, by the path of the routes that need no token; `all` for every other. */
export const bodyKiB = {
  all: 1024,
  /** A code, a secret and a name of 200 characters, each escaped. */
  '/enrol/*': 8,
  /** Ten times an event about an endpoint, in the envelope of Amazon SNS. */
  '/relay/*': 16,
} as const;

/**
 * Reads a body of at most so many KiB. An error while reading means that the client hung up: runtimes have no common error
 * for that, and no other code runs in here. @throws request.too-large, client.closed
 */
export function limitBody(kiB: number) {
  const maxBytes = kiB * 1024;
  const refuse = (): never => {
    throw new Problem('request.too-large', `Expected a body of at most ${kiB} KiB.`);
  };
  const limitStream = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return createMiddleware(async (c, next) => {
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
}

/**
 * Refuses a body that is not declared as JSON, is not UTF-8 (RFC 8259, 8.1), or is deeper or wider than any schema. Its
 * length tells whether there is a body: runtimes represent an empty one differently.
 * @throws request.not-json, request.malformed-json, request.invalid
 */
export const jsonBodies = createMiddleware(async (c, next) => {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength > 0) {
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
      throw new Problem('request.not-json', 'Expected the header Content-Type: application/json.');
    if (!isUtf8(bytes)) throw new Problem('request.malformed-json', 'Expected a JSON document in UTF-8.');
    const exceeded = exceededBound(new Uint8Array(bytes));
    if (exceeded !== undefined) throw invalid('', exceeded);
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

/** Skips the handler for GET and HEAD. */
export const unlessReading =
  (handler: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    isReading(c.req) ? next() : handler(c, next);
