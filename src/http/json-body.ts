import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';

/** A body that is sent must be declared as JSON. @throws request.not-json */
export const jsonBodies = createMiddleware(async (c, next) => {
  const type = c.req.header('content-type');
  const sent = c.req.raw.body !== null && c.req.header('content-length') !== '0';
  if (sent && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? ''))
    throw new Problem('request.not-json', 'Expected the header Content-Type: application/json.');
  await next();
});
