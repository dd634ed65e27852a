import type { Hono } from 'hono';
import type { RouterRoute } from 'hono/types';
import { generateSpecs } from 'hono-openapi';
import { catalogue, type ProblemCode } from '../../errors.ts';
import { components, info, tags } from './components.ts';
import { type Extension, extension, readable } from './operations.ts';
import { pathParameter } from './paths.ts';
import { problemResponse, problemSets, refTo } from './problems.ts';

type Ref = { $ref: string };

/** The parts of an OpenAPI 3.1 operation that are used here. */
export interface Operation {
  operationId: string;
  parameters?: (Ref | { in: string; name: string; description?: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, Ref | object>;
  security?: object[];
  [extension]?: Extension;
}

export interface OpenApiDocument {
  openapi: string;
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

/** The OpenAPI document of these routes as JSON. In the Worker `platform/cloudflare/built-document.ts` replaces this file. */
export const documentOf = async (routes: RouterRoute[]): Promise<string> =>
  JSON.stringify(await openApiOf(routes));

/** It is built from the schemas that validate the requests. */
async function openApiOf(routes: RouterRoute[]): Promise<OpenApiDocument> {
  const specs = await generateSpecs({ routes: routes.map(readable) } as Hono, {
    documentation: {
      openapi: '3.1.1',
      info,
      tags,
      servers: [{ url: '/', description: 'This service' }],
    } as never,
    defaultValidationErrorResponse: false,
    excludeStaticFile: false,
  });
  const { paths: described, ...document } = specs as unknown as OpenApiDocument;
  const paths = mapValues(described, (operations, path) =>
    mapValues(operations, (operation, method) => complete(path, method, operation)),
  );
  return {
    ...document,
    paths,
    security: [{ bearer: [] }],
    components: {
      ...components,
      schemas: { ...components.schemas, ...document.components?.schemas },
      responses: problemSets(Object.values(paths).flatMap((operations) => Object.values(operations))),
    },
  };
}

const mapValues = <T, U>(record: Record<string, T>, map: (value: T, key: string) => U) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));

/** Adds everything that follows from the path, the method, and the callers. */
function complete(path: string, method: string, { [extension]: own, ...operation }: Operation): Operation {
  if (!own) throw new Error(`${method} ${path} has validators but no documentation`);
  const body = operation.requestBody?.content['application/json'];
  if (body && own.request !== undefined) body.example = own.request;
  const parameters = operation.parameters?.map((parameter) =>
    'in' in parameter && parameter.in === 'path' ? pathParameter(path, parameter.name) : parameter,
  );
  const isCached = method === 'get' && own.cached;
  const answers = isCached ? withRevalidation(operation.responses) : operation.responses;
  const all = [...(parameters ?? []), ...(isCached ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : [])];
  return {
    ...operation,
    ...(all.length > 0 && { parameters: all }),
    ...(own.access === 'open' && { security: [] }),
    ...(own.access === 'metrics' && { security: [{ metricsToken: [] }] }),
    responses: withProblems(answers, problemsOf(method, operation, own)),
  };
}

function problemsOf(method: string, operation: Operation, { access, problems }: Extension): Set<ProblemCode> {
  const codes = new Set<ProblemCode>([...problems, 'internal.error', 'request.method-not-allowed']);
  const add = (...more: ProblemCode[]) => {
    for (const code of more) codes.add(code);
  };
  const parameters = operation.parameters?.some((one) => '$ref' in one || one.in !== 'path') ?? false;
  if (operation.requestBody || parameters) add('request.invalid');
  if (access === 'open' || access === 'metrics') return codes;

  add('auth.token-missing', 'auth.token-invalid', 'auth.token-expired', 'auth.keys-unavailable');
  // Middleware checks query and body before the route, even if none is expected.
  add('rate.limited', 'database.overloaded', 'request.invalid');
  if (method !== 'get') add('request.malformed-json', 'request.too-large', 'request.not-json');
  if (access === 'signed-up') add('user.not-signed-up');
  if (access === 'signed-up' && codes.has('resource.not-found')) add('user.changed');
  return codes;
}

function withProblems(answers: Operation['responses'], codes: Set<ProblemCode>): Operation['responses'] {
  // In the catalogue's order, so that the same set has the same name everywhere.
  const sorted = (Object.keys(catalogue) as ProblemCode[]).filter((code) => codes.has(code));
  const all = { ...answers };
  for (const [status, group] of Map.groupBy(sorted, (code) => catalogue[code].status)) {
    const own = answers[status];
    all[status] = own ? both(own, problemResponse(group)) : { $ref: refTo(group) };
  }
  return all;
}

/** Joins an answer that the route documents with the problems of the same status. */
const both = (own: object, problem: { headers: object; content: object }) => ({
  ...own,
  headers: { ...problem.headers, ...('headers' in own && (own.headers as object)) },
  content: { ...problem.content, ...('content' in own && (own.content as object)) },
});

const revalidation = { ETag: { $ref: '#/components/headers/ETag' } };

/** GET answers to signed-up callers have an ETag and can be revalidated (`http/conditional-get`). */
const withRevalidation = (answers: Operation['responses']): Operation['responses'] => ({
  ...answers,
  304: { description: 'The copy that `If-None-Match` names is current.', headers: revalidation },
});
