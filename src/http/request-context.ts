import { createMiddleware } from 'hono/factory';
import { newIdentifier } from '../identifiers.ts';
import type { Limits, Services } from '../services.ts';
import type { Env } from './context.ts';
import { type Routes, routeName } from './routing.ts';

/** Gives each request its services and an identifier, and logs one line per answer. */
export const requestContext = (services: Services, limits: Limits, routes: () => Routes | undefined) =>
  createMiddleware<Env>(async (c, next) => {
    const started = services.now();
    const requestId = newIdentifier(started);
    c.set('services', services);
    c.set('limits', limits);
    c.set('requestId', requestId);
    await next();
    c.res.headers.set('x-request-id', requestId);
    services.log({
      event: 'request',
      requestId,
      method: c.req.method,
      route: routeName(c, routes()),
      status: c.res.status,
      ms: services.now() - started,
    });
  });
