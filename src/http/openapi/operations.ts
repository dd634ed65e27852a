import type { RouterRoute } from 'hono/types';
import { uniqueSymbol } from 'hono-openapi';
import type { ProblemCode } from '../../errors.ts';
import { type Answer, type Documentation, type InDocument, inDocument } from './documented.ts';
import { described } from './json-schemas.ts';

/** Facts from which `document.ts`, which knows the path and the method, completes the operation. */
export interface Extension {
  access: 'open' | 'token' | 'metrics' | 'signed-up';
  problems: readonly ProblemCode[];
  cached: boolean;
  request?: unknown;
}
export const extension = 'x-fieldbell';

/** The route with what its handler has for the document, as hono-openapi reads it. */
export function readable({ handler, ...route }: RouterRoute): RouterRoute {
  const said = (handler as InDocument)[inDocument];
  const spec =
    said &&
    ('target' in said
      ? { target: said.target, ...described(said.schema, 'input') }
      : { spec: operationOf(said) });
  return { ...route, handler: Object.assign(() => {}, spec && { [uniqueSymbol]: spec }) };
}

function operationOf({ id, tag, summary, description, answers, ...more }: Documentation) {
  const { access = 'signed-up', problems = [], request, ifMatch, cached = access === 'signed-up' } = more;
  return {
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
