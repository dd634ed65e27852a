import type { RouterRoute } from 'hono/types';
import { catalogue, type ProblemCode } from '../../errors.ts';
import { components, info, tags } from './components.ts';
import {
  type Answer,
  type Documentation,
  type InDocument,
  inDocument,
  type RequestPart,
} from './documented.ts';
import { jsonSchemaOf } from './json-schemas.ts';
import { pathParameter } from './paths.ts';
import { problemResponse, problemSets, refTo } from './problems.ts';

type Ref = { $ref: string };
type Parameter =
  | Ref
  | { in: string; name: string; required?: boolean; description?: string; schema?: object };

/** The parts of an OpenAPI 3.1 operation that are used here. */
export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, Ref | object>;
  security?: object[];
}

export interface OpenApiDocument {
  openapi: string;
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

/** The OpenAPI document of these routes as JSON. In the Worker `platform/cloudflare/built-document.ts` replaces this file. */
export const documentOf = async (routes: RouterRoute[]): Promise<string> => JSON.stringify(openApiOf(routes));

/** It is built from the schemas that validate the requests. */
function openApiOf(routes: RouterRoute[]): OpenApiDocument {
  const schemas: Schemas = {};
  const paths: OpenApiDocument['paths'] = {};
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  for (const [path, onPath] of byPath)
    for (const [method, handlers] of Map.groupBy(onPath, (route) => route.method.toLowerCase())) {
      const parts = handlers.flatMap(({ handler }) => (handler as InDocument)[inDocument] ?? []);
      const documentation = parts.find((part) => 'answers' in part);
      const validated = parts.filter((part) => 'target' in part);
      if (documentation) {
        const operation = operationOf(path, method, documentation, validated, schemas);
        paths[path] = { ...paths[path], [method]: operation };
      } else if (validated.length > 0)
        throw new Error(`${method} ${path} has validators but no documentation`);
    }
  return {
    openapi: '3.1.1',
    info,
    tags,
    servers: [{ url: '/', description: 'This service' }],
    paths,
    security: [{ bearer: [] }],
    components: {
      ...components,
      schemas: { ...components.schemas, ...schemas },
      responses: problemSets(Object.values(paths).flatMap((operations) => Object.values(operations))),
    },
  } as OpenApiDocument;
}

type Schemas = Record<string, object>;

/** A route's operation, with all that follows from the path, the method and the callers. `schemas` gets its components. */
function operationOf(
  path: string,
  method: string,
  documentation: Documentation,
  validated: RequestPart[],
  schemas: Schemas,
): Operation {
  const { id, tag, summary, description, access = 'signed-up', request, ifMatch } = documentation;
  const isCached = method === 'get' && (documentation.cached ?? access === 'signed-up');
  const schemaOf = (target: RequestPart['target']) => {
    const part = validated.find((one) => one.target === target);
    return part && jsonSchemaOf(part.schema, 'input', schemas);
  };
  const [body, query] = [schemaOf('json'), schemaOf('query')];
  const parameters: Parameter[] = [
    ...(ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...queryParameters(query),
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(path, name)),
    ...(isCached ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  const answers = Object.entries(documentation.answers).map(([status, answer]) => [
    status,
    responseOf(status, answer, schemas),
  ]);
  const checksInput = body !== undefined || query !== undefined || ifMatch === true;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, ...(request !== undefined && { example: request }) } },
      },
    }),
    ...(access === 'open' && { security: [] }),
    ...(access === 'metrics' && { security: [{ metricsToken: [] }] }),
    responses: withProblems(
      { ...Object.fromEntries(answers), ...(isCached && { 304: revalidated }) },
      problemsOf(method, access, documentation.problems ?? [], checksInput),
    ),
  } as Operation;
}

/** OpenAPI describes a parameter beside its schema. */
function queryParameters(query: { properties?: Schemas; required?: string[] } = {}): Parameter[] {
  return Object.entries(query.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as { description?: string };
    const required = query.required?.includes(name);
    return { in: 'query', name, schema, ...(required && { required }), ...(description && { description }) };
  });
}

function responseOf(
  status: string,
  { description, schema, example, also, headers = [] }: Answer,
  schemas: Schemas,
): object {
  const located = status === '201' ? (['Location'] as const) : [];
  const content = {
    ...(schema && {
      'application/json': {
        schema: jsonSchemaOf(schema, 'output', schemas),
        ...(example !== undefined && { example }),
      },
    }),
    ...also,
  };
  return {
    description,
    headers: Object.fromEntries(
      [...headers, ...located, 'X-Request-Id'].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function problemsOf(
  method: string,
  access: NonNullable<Documentation['access']> | 'signed-up',
  own: readonly ProblemCode[],
  checksInput: boolean,
): Set<ProblemCode> {
  const codes = new Set<ProblemCode>([...own, 'internal.error', 'request.method-not-allowed']);
  const add = (...more: ProblemCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (checksInput) add('request.invalid');
  if (access === 'open' || access === 'metrics') return codes;

  add('auth.token-missing', 'auth.token-invalid', 'auth.token-expired', 'auth.keys-unavailable');
  // Middleware checks query and body before the route, even if none is expected.
  add('rate.limited', 'database.overloaded', 'request.invalid');
  if (method !== 'get') add('request.malformed-json', 'request.too-large', 'request.not-json');
  if (access === 'signed-up') add('user.not-signed-up');
  // Programs read.
  if (access === 'signed-up' && method !== 'get') add('action.forbidden');
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

/** GET answers to signed-up callers have an ETag and can be revalidated (`http/conditional-get`). */
const revalidated = {
  description: 'The copy that `If-None-Match` names is current.',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
};
