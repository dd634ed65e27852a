import { catalogue, type ProblemCode } from '../../errors.ts';

const folder = '#/components/responses/';
const separator = '__';

/** Answers with the same codes share a component, which is named after the codes. */
export const refTo = (codes: ProblemCode[]) => `${folder}${codes.join(separator)}`;

/** The components that the answers of these operations refer to. */
export function problemSets(operations: { responses: Record<string, object> }[]): Record<string, object> {
  const refs = operations
    .flatMap((operation) => Object.values(operation.responses))
    .flatMap((response) => ('$ref' in response ? [response.$ref as string] : []));
  const names = [...new Set(refs)].sort().map((ref) => ref.slice(folder.length));
  return Object.fromEntries(
    names.map((name) => [name, problemResponse(name.split(separator) as ProblemCode[])]),
  );
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** An answer that has one of these codes, all of the same status. */
export function problemResponse(codes: ProblemCode[]) {
  const status = catalogue[codes[0] as ProblemCode].status;
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].meaning}`).join('\n\n'),
    headers: {
      'X-Request-Id': header('X-Request-Id'),
      ...(status === 405 && { Allow: header('Allow') }),
      ...(status === 401 && { 'WWW-Authenticate': header('WWW-Authenticate') }),
      ...((status === 429 || status === 503) && { 'Retry-After': header('Retry-After') }),
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { enum: codes }, status: { const: status } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: ProblemCode) {
  const { status, title, meaning } = catalogue[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: meaning.split('. ')[0],
    code,
    ...(code === 'limit.reached' && { bound: 'MAX_SURVEYS' }),
    ...(code === 'request.invalid' && {
      errors: [{ pointer: '/name', detail: 'Expected a text of 1 to 200 characters.' }],
    }),
    ...(code === 'item.locked' && {
      errors: [{ pointer: '/cases/0/identifier', detail: 'This item is locked.' }],
    }),
    ...(code === 'items.not-found' && {
      errors: [
        { pointer: '/cases/0/identifier', detail: 'Expected an item of this study that you may see.' },
      ],
    }),
  };
}
