import { beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/errors.ts';
import { libraryPhrase } from '../support/library-phrases.ts';
import type { Answer, Person } from '../support/people.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { send, signUp } from '../support/worker/world.ts';
import { operations } from './support/operations.ts';

/* Properties of every route, by walking the document: a new route is tested by being documented. */

let ada: Person;

beforeAll(async () => {
  ada = await signUp('Ada');
});

const ask = (method: string, path: string, body?: unknown, token = ada.token): Promise<Answer> =>
  send(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** The push relay's own messages are no JSON of ours. */
const writing = operations.filter(({ method, name }) => method !== 'GET' && name !== 'POST /relay/events');

test('the walk has something to walk', () => {
  expect(writing.length).toBeGreaterThan(20);
  expect(writing.filter(({ example }) => !example).length).toBeGreaterThan(5);
});

describe('bodies', () => {
  test.each(writing)('$name refuses a field that nobody defined', async ({ method, path, example }) => {
    const answer = await ask(method, path, { ...example, colour: 'red' });
    expectProblem(answer, 'request.invalid');
    expect(answer.body.errors).toContainEqual({
      pointer: '/colour',
      detail: "Unknown field 'colour': expected only the documented ones.",
    });
  });

  test.each(writing.filter(({ example }) => !example))(
    '$name takes an empty object, and refuses everything else',
    async ({ method, path }) => {
      for (const body of [null, [], 'x', 5])
        expectProblem(await ask(method, path, body), 'request.invalid', ['']);
      // Nothing of this path exists, or it is done: either way the body was fine.
      if (path !== '/user/me') expect((await ask(method, path, {})).body?.code).not.toBe('request.invalid');
    },
  );

  test.each(writing.filter(({ example }) => example))(
    '$name says in our words what is wrong, and where',
    async ({ method, path, example }) => {
      const details: string[] = [];
      for (const body of broken(example)) {
        const answer = await ask(method, path, body);
        expect(answer.status, answer.text).toBeLessThan(500);
        if (answer.status !== 400) continue;
        expectProblem(answer, answer.body.code);
        for (const { pointer, detail } of answer.body.errors as Fault[]) {
          expect(detail, JSON.stringify(body)).not.toMatch(libraryPhrase);
          expect(leadsInto(body, pointer ?? 'none'), `${pointer} of ${JSON.stringify(body)}`).toBe(true);
          details.push(detail);
        }
      }
      expect(details.length).toBeGreaterThan(10);
    },
  );

  const chosen = writing.filter(({ requestBody }) => {
    const { properties } = (requestBody?.content['application/json']?.schema ?? {}) as {
      properties?: object;
    };
    return 'identifier' in (properties ?? {});
  });

  test('studies, cases, surveys, responses and devices take an identifier', () => {
    expect(chosen.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining([
        'createInvestigation',
        'createCase',
        'createSurvey',
        'createResponse',
        'registerDevice',
      ]),
    );
  });

  test.each(chosen)(
    '$name refuses an identifier of zeros, of f, and one that is none',
    async ({ method, path, example }) => {
      for (const identifier of ['0'.repeat(32), 'f'.repeat(32), 'F'.repeat(32), 'x', null, 5])
        expectProblem(await ask(method, path, { ...example, identifier }), 'request.invalid', [
          '/identifier',
        ]);
    },
  );
});

const wrong = [null, -1, 1.5, 1e300, '', 'x', '\0', true, [], [null], [[]], {}, { '': null }];

/** The body with each of its values in turn replaced by each of the wrong ones, or missing. */
function broken(value: unknown): unknown[] {
  if (Array.isArray(value))
    return [...wrong, ...broken(value[0]).map((inner) => [...value, inner]), [...value, ...value]];
  if (typeof value !== 'object' || value === null) return wrong;
  return [
    ...wrong,
    ...Object.entries(value).flatMap(([key, inner]) => [
      Object.fromEntries(Object.entries(value).filter(([other]) => other !== key)),
      ...broken(inner).map((one) => ({ ...value, [key]: one })),
    ]),
  ];
}

/** Whether the pointer's parent is in the body: the value itself may be missing. */
function leadsInto(body: unknown, pointer: string): boolean {
  if (pointer === '') return true;
  if (!pointer.startsWith('/')) return false;
  const keys = pointer.split('/').slice(1, -1);
  let found = body;
  for (const key of keys)
    found = (found as Record<string, unknown> | null)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  return typeof found === 'object' && found !== null;
}

describe('queries', () => {
  const asking = operations.filter(({ query }) => query.length > 0);

  test('the walk has something to walk', () => expect(asking.length).toBeGreaterThan(5));

  test.each(asking)('$name names the parameter, and says in our words what is wrong', async (operation) => {
    const { method, path, query } = operation;
    const texts = ['', 'x', '-1', '0', '1.5', '9'.repeat(30), 'null', '[]', '%00', '1&', 'true'];
    const tries = query.flatMap((name) => [
      ...texts.map((text) => `${name}=${text}`),
      `${name}=1&${name}=2`,
      `${name}=x&${name}=y`,
    ]);
    let refused = 0;
    for (const parameters of tries) {
      const answer = await ask(method, `${path}?${parameters}`);
      expect(answer.status, parameters).toBeLessThan(500);
      if (answer.status !== 400) continue;
      expectProblem(answer, 'request.invalid');
      for (const fault of answer.body.errors as Fault[]) {
        expect(query, answer.text).toContain(fault.parameter);
        expect(fault.detail, parameters).not.toMatch(libraryPhrase);
        expect(fault).not.toHaveProperty('pointer');
      }
      refused += 1;
    }
    expect(refused).toBeGreaterThanOrEqual(query.length);
  });

  /** Open paths are also asked by pages, probes and caches that add parameters of their own. */
  const guarded = operations.filter(({ security }) => security === undefined);

  test.each(guarded)('$name refuses a parameter that nobody defined', async ({ method, path, example }) => {
    const unknown = await ask(method, `${path}?colour=red`, example);
    expectProblem(unknown, 'request.invalid');
    expect(unknown.body.errors).toContainEqual({
      parameter: 'colour',
      detail: expect.stringContaining("'colour'"),
    });
  });
});

describe('methods', () => {
  const methodsOf = Map.groupBy(operations, ({ path }) => path);
  const paths = [...methodsOf].map(([path, found]) => ({
    path,
    allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
      .filter((method) => found.some((operation) => operation.method === method))
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .concat('OPTIONS'),
  }));

  test.each(paths)(
    '$path tells which methods it takes, with a token and without',
    async ({ path, allow }) => {
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (method) => !allow.includes(method),
      );
      expect(others).toContain('PROPFIND');
      for (const token of [ada.token, 'none']) {
        for (const method of others) {
          const answer = await ask(method, path, undefined, token);
          expect(answer.status, `${method} ${answer.text}`).toBe(405);
          expect(answer.headers.get('allow'), method).toBe(allow.join(', '));
          if (method !== 'HEAD') expectProblem(answer, 'request.method-not-allowed');
        }
        const options = await ask('OPTIONS', path, undefined, token);
        expect([options.status, options.text, options.headers.get('allow')]).toEqual([
          204,
          '',
          allow.join(', '),
        ]);
      }
    },
  );

  test.each(paths.filter(({ allow }) => allow.includes('GET')))(
    'HEAD $path answers as GET does, without the body',
    async ({ path }) => {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['content-type', 'etag', 'location', 'cache-control'])
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
    },
  );

  test('a path that does not exist is not found by any method, and needs a token', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expectProblem(await ask(method, '/nowhere'), 'resource.not-found');
      expectProblem(await ask(method, '/nowhere', undefined, 'none'), 'auth.token-invalid');
    }
  });
});
