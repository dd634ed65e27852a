import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/errors.ts';
import { pointerTo } from '../../src/http/issues.ts';
import { createMuteApp, readDocument } from '../contract/document.ts';

const app = createMuteApp();
const { text, document } = await readDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

test('an OpenAPI linter finds nothing, by its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: switchedOff });
  const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(
    found.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
  ).toEqual([]);
});

const switchedOff = {
  // `/docs` leads to the page.
  'operation-2xx-response': 'off',
  // Alive or not at all: `/health` cannot be asked wrongly. Neither can the document and its page.
  'operation-4xx-response': 'off',
  // The service worker of `/p/` has the paths below it.
  'no-path-trailing-slash': 'off',
} as const;

test('every route is documented, and nothing else', () => {
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    [...new Set(routes)].sort(),
  );
});

test('every operation has a name of its own and an example of its body', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { operationId, requestBody } of operations)
    if (requestBody) expect(requestBody.content['application/json']?.example, operationId).toBeDefined();
});

const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);
ajv.addFormat('base64', /^[A-Za-z0-9+/]*={0,2}$/);
ajv.addSchema({ $id: 'openapi', ...document });

const schemaAt = (...keys: string[]) => ({
  $ref: `openapi#/${keys.map((key) => encodeURIComponent(pointerTo([key]).slice(1))).join('/')}`,
});

test('the examples are bodies that the schemas take', async () => {
  for (const { operationId, path, method, requestBody } of operations) {
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    const placed = schemaAt('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
    if (schema) expect(ajv.validate(placed, example), `${operationId}: ${ajv.errorsText()}`).toBe(true);
  }
});

const answers = operations.flatMap(({ operationId, path, method, responses }) =>
  Object.entries(responses as Record<string, { content?: Record<string, { example?: unknown }> }>).flatMap(
    ([status, { content }]) => {
      const media = status.startsWith('2') ? content?.['application/json'] : undefined;
      const keys = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      return media ? [{ name: `${operationId} ${status}`, example: media.example, keys }] : [];
    },
  ),
);

test.each(answers.map((answer) => [answer.name, answer] as const))(
  '%s has an example that its schema accepts',
  (_, { example, keys }) => {
    expect(example).toBeDefined();
    expect(ajv.validate(schemaAt(...keys), example), ajv.errorsText()).toBe(true);
  },
);

/** `client.closed` is never received. */
const undocumented = new Set(['request.in-progress', 'client.closed']);

test('every 201 says where the new resource is', () => {
  const created = operations.filter(({ responses }) => '201' in responses);
  expect(created.length).toBeGreaterThan(6);
  for (const { operationId, responses } of created)
    expect(responses['201'], operationId).toMatchObject({ headers: { Location: expect.anything() } });
});

test('every problem of the catalogue is in the document', () => {
  for (const code of Object.keys(catalogue))
    if (!undocumented.has(code)) expect(text, code).toContain(`\`${code}\`: `);
});

test('it is kept by its ETag', async () => {
  const answer = await app.request('/openapi.json');
  const tag = answer.headers.get('etag') ?? '';
  expect(tag).toMatch(/^"/);
  const again = await app.request('/openapi.json', { headers: { 'if-none-match': tag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
