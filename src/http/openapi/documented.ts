import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import type { ProblemCode } from '../../errors.ts';

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

/** The key of a handler's part of the document: the route's description, or the schema of a part of the requests. */
export const inDocument = Symbol('document');

/** A part of the requests, and the schema that validates it. */
export interface RequestPart {
  target: 'json' | 'query';
  schema: z.ZodType;
}

export interface InDocument {
  [inDocument]?: Documentation | RequestPart;
}

/** Middleware that documents its route and passes requests on unchanged. */
export function documented(documentation: Documentation): MiddlewareHandler {
  const passOn: MiddlewareHandler = (_c, next) => next();
  return Object.assign(passOn, { [inDocument]: documentation });
}
