import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Router } from 'hono/router';
import type { RouterRoute } from 'hono/types';
import * as z from 'zod';
import { Problem } from '../errors.ts';
import type { Env } from './context.ts';
import { type InDocument, inDocument } from './openapi/documented.ts';
import { body, query } from './validation.ts';

export type Routes = Router<[unknown, RouterRoute]>;

/** The route that answers; middleware is mounted for all methods. */
const routeIn = (matched: RouterRoute[]) => matched.find(({ method }) => method !== 'ALL');

/** The pattern of the path, for any method: the path itself may hold identifiers and e-mail addresses. */
export const routeName = (c: Context, routes: Routes | undefined) =>
  (routeIn(matchedRoutes(c)) ?? routesOf(routes, c.req.path)[0]?.route)?.path ?? '/*';

/**
 * Refuses a method that the path does not take, and answers OPTIONS (RFC 9110, 15.5.6 and 9.3.7). The API's document is
 * public, so neither needs a token. @throws request.method-not-allowed
 */
export const allowedMethods = (routes: () => Routes | undefined) =>
  createMiddleware<Env>(async (c, next) => {
    if (routeIn(matchedRoutes(c))) return next();
    const allowed = routesOf(routes(), c.req.path).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    if (allowed.length === 0) return next();
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow });
    throw new Problem('request.method-not-allowed', `Expected one of the methods ${allow}.`, { allow });
  });

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const routesOf = (routes: Routes | undefined, path: string) =>
  methods.flatMap((method) => {
    const route = routeIn(routes?.match(method, path)[0].map(([[, found]]) => found) ?? []);
    return route ? [{ method, route }] : [];
  });

const noFields = body(z.strictObject({}));

/** Refuses fields in the body of a route that has no schema for one. @throws request.invalid */
export const refuseUnusedBody = createMiddleware<Env>(async (c, next) => {
  if (!isUnchecked(c, 'json') || (await c.req.arrayBuffer()).byteLength === 0) return next();
  return noFields(c, next);
});

const noParameters = query(z.strictObject({}));

/** Refuses parameters of a route that has no schema for a query. @throws request.invalid */
export const refuseUnusedQuery = createMiddleware<Env>((c, next) =>
  c.req.url.includes('?') && isUnchecked(c, 'query') ? noParameters(c, next) : next(),
);

/** Whether the route that answers has no schema for this part of the request. */
function isUnchecked(c: Context, part: 'json' | 'query'): boolean {
  const route = routeIn(matchedRoutes(c));
  return (
    route !== undefined &&
    !matchedRoutes(c).some(({ path, handler }) => path === route.path && validates(handler) === part)
  );
}

function validates(handler: object & InDocument) {
  const said = handler[inDocument];
  return said && 'target' in said ? said.target : undefined;
}
