import { describeRoute } from 'hono-openapi';
import type * as z from 'zod';
import type { ProblemCode } from '../../errors.ts';
import { described } from './json-schemas.ts';

/** Headers that the document describes once, in its components. */
export type HeaderName = 'ETag' | 'Link' | 'Vary' | 'Cache-Control' | 'Location' | 'Content-Security-Policy';

/** A successful answer of a route. */
export interface Answer {
  description: string;
  /** An example of the JSON body. */
  schema?: z.ZodType;
  /** A body that the schema accepts. */
  example?: unknown;
  /** Other media types of the same answer, each with its JSON Schema. */
  also?: Record<string, { schema: object; example?: unknown }>;
  headers?: HeaderName[];
}

/** A JSON answer with an example. */
export const json = <S extends z.ZodType>(
  description: string,
  schema: S,
  example: z.input<S>,
  headers: HeaderName[] = [],
): Answer => ({ description, schema, example, headers });

/** The document's description of a route. */
export interface Documentation {
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** The callers: anybody, callers with a token, the metrics scraper; by default, signed-up users. */
  access?: 'open' | 'token' | 'metrics';
  /** The answer has an ETag, like answers to signed-up users. */
  cached?: true;
  /** An example of the request's body. */
  request?: unknown;
  /** The route accepts `If-Match`. */
  ifMatch?: true;
  answers: Record<number, Answer>;
  /** The problems of the route itself; `openapi/document` adds those that every such route may answer. */
  problems?: readonly ProblemCode[];
}

/** The part of a route's description that `openapi/document` completes with the path and the method. */
export interface Extension {
  access: 'open' | 'token' | 'metrics' | 'signed-up';
  problems: readonly ProblemCode[];
  cached: boolean;
  request?: unknown;
}
export const extension = 'x-fieldbell';

/** Middleware that documents its route and passes requests on unchanged. */
export function documented({ id, tag, summary, description, answers, ...more }: Documentation) {
  const { access = 'signed-up', problems = [], request, ifMatch, cached = access === 'signed-up' } = more;
  const spec = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(ifMatch && { parameters: [{ $ref: '#/components/parameters/IfMatch' }] }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, toResponse(status, answer)]),
    ),
    [extension]: { access, problems, cached, request } satisfies Extension,
  };
  return describeRoute(spec);
}

function toResponse(status: string, { description, schema, example, also, headers = [] }: Answer) {
  const located = status === '201' ? ['Location'] : [];
  const content = {
    ...(schema && {
      'application/json': { schema: described(schema, 'output'), ...(example !== undefined && { example }) },
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
