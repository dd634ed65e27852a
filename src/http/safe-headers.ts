import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import type { Env } from './context.ts';

/** A page that is no page: it runs and loads nothing, and stands in no frame. */
const inert = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const general = secureHeaders({ strictTransportSecurity: 'max-age=31536000; includeSubDomains' });

/** Headers of every answer, for browsers; pages and pictures bring a policy of their own. */
export const safeHeaders = createMiddleware<Env>(async (c, next) => {
  await general(c, next);
  if (!c.res.headers.has('content-security-policy')) c.res.headers.set('content-security-policy', inert);
});
