import type { OpenApiDocument, Operation } from '../../../../src/http/openapi/document.ts';
import type { Random } from '../../../support/random.ts';
import { oddText, oddValue, spoiled } from './odd.ts';
import { type Schema, sampleOf, type Vocabulary } from './values.ts';

/** A request, ready to be sent. */
export interface Made {
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

export interface Route {
  path: string;
  method: string;
  operation: Operation;
}

/** With the bodies' schemas in full, in place of references. */
export const routesOf = ({ paths, components }: OpenApiDocument): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, ...operation }]) => ({
      path,
      method,
      operation: { ...operation, ...(requestBody && { requestBody: inFull(requestBody, components) }) },
    })),
  );

const inFull = <T>(value: T, components: OpenApiDocument['components']): T =>
  JSON.parse(JSON.stringify(value), (_, part) => {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(part?.$ref ?? '') ?? [];
    const found = components[kind]?.[name];
    return found ? inFull(found, components) : part;
  });

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const accepted = ['application/json', 'text/csv', '*/*', 'text/html', 'nonsense'];
const ifMatches = ['*', '"x"', 'W/"x"', 'x', '', '"a", "b"'];

/** A request to the route: mostly one that the document allows, else one with something wrong in it. */
export function makeRequest({ path, method, operation }: Route, random: Random, words: Vocabulary): Made {
  const parameters = (operation.parameters ?? []).filter((one): one is Parameter => 'in' in one);
  const headers: Record<string, string> = {};
  if (random.chance(0.3)) headers.accept = random.pick(accepted);
  if (operation.parameters?.some((one) => '$ref' in one) && random.chance(0.2))
    headers['if-match'] = random.pick(ifMatches);
  const made: Made = {
    operation: operation.operationId,
    method: random.chance(0.01) ? random.pick(methods) : method.toUpperCase(),
    path: pathOf(path, parameters, random, words) + queryOf(parameters, random, words),
    headers,
  };
  const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
  const body = schema ? bodyOf(schema, example, random, words) : random.chance(0.02) ? '{"a":1}' : undefined;
  if (body === undefined || made.method === 'GET') return made;
  headers['content-type'] = random.chance(0.98) ? 'application/json' : 'text/plain';
  return { ...made, body };
}

function pathOf(path: string, parameters: Parameter[], random: Random, words: Vocabulary): string {
  return path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, noun: string, name: string) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
    const known = words.words[`/${noun}`];
    const value = random.chance(0.03)
      ? oddText(random)
      : known && random.chance(0.85)
        ? random.pick(known)
        : sampleOf(schema, random, words);
    return `${noun}/${segment(String(value))}`;
  });
}

/** An empty segment or a dot would be another path. */
const segment = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/^\.*$/, '%2E%2E%2F');

function queryOf(parameters: Parameter[], random: Random, words: Vocabulary): string {
  const query = new URLSearchParams();
  for (const { name, required, schema, in: place } of parameters)
    if (place === 'query' && (required ? random.chance(0.95) : random.chance(0.25)))
      query.append(
        name,
        String(random.chance(0.12) ? oddValue(random) : sampleOf(schema, random, words, name)).toWellFormed(),
      );
  if (random.chance(0.02)) query.append(oddText(random).toWellFormed(), 'x');
  const text = query.toString();
  return text && `?${text}`;
}

/** Also from the example: a schema cannot tell which fields exclude each other. */
function bodyOf(schema: Schema, example: unknown, random: Random, words: Vocabulary): string | undefined {
  const value = example !== undefined && random.chance(0.15) ? example : sampleOf(schema, random, words);
  const luck = random.fraction();
  if (luck < 0.7) return JSON.stringify(value);
  if (luck < 0.96) return JSON.stringify(spoiled(value, random));
  return random.pick([undefined, '', '{', '[]', 'null', '"x"', '\ufeff{}', '{"a":1}{', '1e999']);
}

/** The request as a line for the shell. */
export function curl({ method, path, headers, body }: Made): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -iX ${method} ${quoted(`http://127.0.0.1:8787${path}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ');
}
