import { describeRoute } from 'hono-openapi';
import type { z } from 'zod';
import type { ProblemCode } from '../../errors.ts';
import { described } from './json-schemas.ts';

/** Headers of answers that the document describes once. */
export type HeaderName = 'ETag' | 'Link' | 'Vary' | 'Cache-Control' | 'Location' | 'Content-Security-Policy';

/** One way a request can succeed. */
export interface Answer {
  description: string;
  /** Of the JSON body. */
  schema?: z.ZodType;
  /** A real one, which the schema accepts. */
  example?: unknown;
  /** Other media types of the same answer, by their JSON Schema. */
  also?: Record<string, { schema: object; example?: unknown }>;
  headers?: HeaderName[];
}

/** An answer in JSON with an example of it. */
export const json = <S extends z.ZodType>(
  description: string,
  schema: S,
  example: z.input<S>,
  headers: HeaderName[] = [],
): Answer => ({ description, schema, example, headers });

/**
 * What the document says of a route. `access` is who may ask: anybody, whoever has a token, or (unless said) whoever is
 * signed up. `problems` are those of the route itself; what every such route may answer is added.
 */
export interface Documentation {
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access?: 'open' | 'token' | 'metrics';
  /** An example of the request's body. */
  request?: unknown;
  /** Takes `If-Match`. */
  ifMatch?: true;
  answers: Record<number, Answer>;
  problems?: readonly ProblemCode[];
}

/** What `documented` leaves for `http/openapi`, which knows the path and the method. */
export interface Extension {
  access: 'open' | 'token' | 'metrics' | 'signed-up';
  problems: readonly ProblemCode[];
  request?: unknown;
}
export const extension = 'x-fieldbell';

/** Documents the route before whose handler it stands; it does nothing to requests. */
export function documented({ id, tag, summary, description, answers, ...more }: Documentation) {
  const { access = 'signed-up', problems = [], request, ifMatch } = more;
  const spec = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(ifMatch && { parameters: [{ $ref: '#/components/parameters/IfMatch' }] }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)]),
    ),
    [extension]: { access, problems, request } satisfies Extension,
  };
  return describeRoute(spec);
}

function toResponse({ description, schema, example, also, headers = [] }: Answer) {
  const content = {
    ...(schema && {
      'application/json': { schema: described(schema, 'output'), ...(example !== undefined && { example }) },
    }),
    ...also,
  };
  return {
    description,
    headers: Object.fromEntries(
      [...headers, 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    ...(Object.keys(content).length > 0 && { content }),
  };
}
