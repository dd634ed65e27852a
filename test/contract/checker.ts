import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';

/** An answer as it went out. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The answer's deviations from the document; empty if there are none. */
export type Checker = (exchange: Exchange) => string[];

interface Media {
  schema?: object;
}
interface Response {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
}

/** Headers that an answer may lack though the document names them: `Link` of the last page, and the like. */
const optional = new Set(['link', 'retry-after', 'cache-control', 'vary', 'x-request-id']);

export function createChecker(document: OpenApiDocument): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addFormat('base64', /^[A-Za-z0-9+/]*={0,2}$/);
  ajv.addSchema({ $id: 'openapi', ...document });
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const routes = Object.keys(document.paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    // `/user/{id}` also fits what a fixed path fits better.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

  const problem = '/components/schemas/Problem';

  /** An answer that belongs to no documented route has to be a problem. */
  const checkStray = ({ method, status, headers, body }: Exchange) => {
    if (method === 'OPTIONS' && status === 204 && 'allow' in headers) return [];
    if (method === 'HEAD') return body === '' ? [] : ['has a body'];
    if (
      status === 405 ||
      status === 404 ||
      status === 401 ||
      status === 403 ||
      status === 413 ||
      status === 415 ||
      status === 503
    )
      return checkBody('application/problem+json', headers, body, problem);
    return [`${status} of a route that is not in the document`];
  };

  const checkBody = (type: string, headers: Record<string, string>, body: string, pointer: string) => {
    const found = mediaType(headers);
    if (found !== type) return [`content type ${found}, expected ${type}`];
    const validate = validatorAt(pointer);
    if (validate(/\bjson$/.test(type) ? JSON.parse(body) : body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  };

  return (exchange) => {
    const method = exchange.method.toLowerCase();
    const { path } = routes.find(({ pattern }) => pattern.test(exchange.path)) ?? {};
    const operation = path && document.paths[path]?.[method === 'head' ? 'get' : method];
    if (!path || !operation) return checkStray(exchange);

    const name = `${exchange.method} ${path} ${exchange.status}`;
    const documented = operation.responses[exchange.status] as Response | undefined;
    if (!documented) return [`${name}: the document does not know this status`];
    const pointer = documented.$ref
      ? documented.$ref.slice(1)
      : `/paths/${escaped(path)}/${method}/responses/${exchange.status}`;
    const response = documented.$ref
      ? (document.components.responses?.[documented.$ref.split('/').at(-1) as string] as Response)
      : documented;

    const faults = Object.keys(response.headers ?? {})
      .map((header) => header.toLowerCase())
      .filter((header) => !optional.has(header) && !(header in exchange.headers))
      .map((header) => `lacks the header ${header}`);
    const types = Object.keys(response.content ?? {});
    if (types.length === 0 && exchange.body !== '') faults.push('has a body');
    if (types.length > 0 && method !== 'head') {
      const type = mediaType(exchange.headers);
      if (types.includes(type))
        faults.push(
          ...checkBody(type, exchange.headers, exchange.body, `${pointer}/content/${escaped(type)}/schema`),
        );
      else faults.push(`content type ${type}, expected one of ${types.join(', ')}`);
    }
    return faults.map((fault) => `${name}: ${fault}`);
  };
}

const mediaType = (headers: Record<string, string>) =>
  (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';

/** RFC 6901, in a URI's fragment. */
const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
