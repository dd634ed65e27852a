import type { OpenApiDocument, Operation } from '../../../src/http/openapi/document.ts';
import { send } from '../../support/worker/world.ts';

/** An operation of the document, with a well-formed path whose resource does not exist. */
export interface DocumentedOperation extends Omit<Operation, 'parameters'> {
  name: string;
  method: string;
  path: string;
  /** An example of the body, if the route has one. */
  example: Record<string, unknown> | undefined;
  /** The names of the parameters of the query. */
  query: string[];
}

const document: OpenApiDocument = (await send('/openapi.json')).body;

const filled = (path: string) =>
  path.replace('{code}', 'item.locked').replaceAll(/\{\w+\}/g, '01a3b83892b97bba9d45197626bd5759');

export const operations: DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: path.startsWith('/user/{id}') ? path.replace('{id}', 'me') : filled(path),
    example: operation.requestBody?.content['application/json']?.example as
      | Record<string, unknown>
      | undefined,
    query: (operation.parameters ?? []).flatMap((one) =>
      'in' in one && one.in === 'query' ? [one.name] : [],
    ),
  })),
);
