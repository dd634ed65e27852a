import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bodyKiB } from '../../src/http/json-body.ts';
import { maxAuthorization, readHeaders } from '../../src/http/limit-head.ts';
import { documentOf } from '../../src/http/openapi/document.ts';
import { documented } from '../../src/http/openapi/documented.ts';
import { body, text } from '../../src/http/validation.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import { signToken, signUp } from '../support/people.ts';
import { type LongInput, longInputs } from '../support/watched-calls.ts';
import { longBodies } from './support/costs/long-texts.ts';
import { type Route, routesOf } from './support/fuzz/requests.ts';

/*
 * No pattern, transform or decoder sees an input before its length is bounded: the functions of the language and of the
 * platform are watched while long texts arrive in every place of a request. `bounded-schemas` walks the schemas.
 */

const mark = 'mark5f1e0c';
const textOf = (characters: number) => mark.repeat(Math.ceil(characters / mark.length)).slice(0, characters);

/** Longer than any input that is taken. */
const long = textOf(200_000);

/** No text of a request needs more for a pattern, a transform or a decoder; answers, the longest, meet none. */
const most = 1_000;

/** Calls that see a long text all the same. Each passes once over it. */
const linear: { why: string; call: RegExp; from: RegExp }[] = [
  {
    why: 'a whole body, of at most 1 MiB, is looked at as UTF-8',
    call: /^TextDecoder\.prototype\.decode$/,
    from: /^src\/http\/json-body\.ts/,
  },
  { why: 'and decoded by the runtime itself', call: /^TextDecoder\.prototype\.decode$/, from: /^$/ },
  {
    why: 'and parsed, once its depth and its width are known',
    call: /^JSON\.parse$/,
    from: /^hono\/dist\/request\.js/,
  },
  {
    why: 'zod counts code points where UTF-16 has more units than the bound',
    call: /^RegExp\.prototype\.(?:test|exec)$/,
    from: /^v4\/core\/util\.js < v4\/core\/checks\.js/,
  },
];

const origin = ({ from }: LongInput) => from.join(' < ');
const used = new Set<string>();

/** The status of the answer, and the calls that saw the long text of the request. */
async function seen(app: Pick<LocalService['app'], 'fetch'>, request: Request) {
  let status = 0;
  const found = await longInputs({ mark, most }, async () => {
    status = (await app.fetch(request, { address: '192.0.2.1' })).status;
  });
  const wrong = found.filter((one) => {
    const permitted = linear.find(({ call, from }) => call.test(one.call) && from.test(origin(one)));
    if (permitted) used.add(permitted.why);
    return !permitted;
  });
  return {
    status,
    calls: wrong.map((one) => `${one.call} saw ${one.characters}, from ${origin(one)}`),
  };
}

const identifier = '01a3b83892b97bba9d45197626bd5759';
const filled = (path: string, value = identifier) => path.replaceAll(/\{\w+\}/g, value);
const requestTo = (path: string, method: string, init: RequestInit = {}) =>
  new Request(`http://fieldbell.test${path}`, { ...init, method: method.toUpperCase() });
const json = { 'content-type': 'application/json' };

/** Bodies of the route with a long text in each place of a text, and as a name; the answers' statuses, and the calls. */
async function bodiesSeen(app: Pick<LocalService['app'], 'fetch'>, route: Route, token = '') {
  const { path, method, operation } = route;
  const headers = { ...json, ...(operation.security ? {} : { authorization: `Bearer ${token}` }) };
  const own = Object.entries(bodyKiB).find(([prefix]) => path.startsWith(prefix.replace('/*', '')));
  const typed = own ? textOf(own[1] * 1024 - 1_000) : long;
  const example = operation.requestBody?.content['application/json']?.example;
  const bodies = [
    ...longBodies(route, { text: typed }),
    ...(operation.requestBody ? [{ what: 'a name', body: { ...(example as object), [typed]: 1 } }] : []),
  ];
  const results: { what: string; status: number; calls: string[] }[] = [];
  for (const { what, body } of bodies) {
    const request = requestTo(filled(path), method, { headers, body: JSON.stringify(body) });
    results.push({ what: `${method} ${path}, ${what}`, ...(await seen(app, request)) });
  }
  return results;
}

describe('all that runs for a request', () => {
  let service: LocalService;
  let routes: Route[];
  let token: string;

  beforeAll(async () => {
    service = await localService();
    routes = routesOf((await service.world.send('/openapi.json')).body);
    ({ token } = await signUp(service.world, 'Ada'));
  });

  afterAll(() => service.dispose());

  const authorization = () => ({ authorization: `Bearer ${token}` });

  test('a long text in any place of a body is refused, and seen by nothing else', async () => {
    const results: Awaited<ReturnType<typeof bodiesSeen>> = [];
    for (const route of routes) results.push(...(await bodiesSeen(service.app, route, token)));
    expect(results.length).toBeGreaterThan(150);
    expect(results.filter(({ status, calls }) => status !== 400 || calls.length > 0)).toEqual([]);
    expect([...used].toSorted()).toEqual(linear.map(({ why }) => why).toSorted());
  });

  test('a long text in a path or a query is refused, and seen by nothing', async () => {
    for (const { path, method, operation } of routes) {
      const names = (operation.parameters ?? []).flatMap((one) =>
        'in' in one && one.in === 'query' ? [one.name] : [],
      );
      const headers = authorization();
      const addresses = [
        filled(path, long),
        ...[...names, 'x'].map((name) => `${filled(path)}?${name}=${long}`),
      ];
      for (const address of [...addresses, `${filled(path)}?${long}`].filter((one) => one.includes(mark)))
        expect(await seen(service.app, requestTo(address, method, { headers })), path).toEqual({
          status: 400,
          calls: [],
        });
    }
  });

  test('a long header is refused, and seen by nothing', async () => {
    for (const { path, method } of routes) {
      for (const name of readHeaders) {
        const request = requestTo(filled(path), method, { headers: { ...authorization(), [name]: long } });
        expect(await seen(service.app, request), `${path} ${name}`).toEqual({ status: 400, calls: [] });
      }
      const request = requestTo(filled(path), method, { headers: { authorization: long } });
      expect(await seen(service.app, request), path).toEqual({ status: 401, calls: [] });
    }
  });

  test('no header is read that is not bounded', async () => {
    const read = new Set<string>();
    for (const { path, method, operation } of routes) {
      const example = operation.requestBody?.content['application/json']?.example ?? {};
      const hasBody = method !== 'get';
      const headers = { ...authorization(), ...(hasBody && json), origin: 'http://elsewhere.test' };
      const request = requestTo(filled(path), method, {
        headers,
        ...(hasBody && { body: JSON.stringify(example) }),
      });
      const { headers: all } = request;
      for (const reads of ['get', 'has'] as const) {
        const own = all[reads].bind(all);
        all[reads] = ((name: string) => {
          read.add(name.toLowerCase());
          return own(name);
        }) as typeof all.get & typeof all.has;
      }
      all.forEach = () => expect.unreachable('all headers are read');
      await service.app.fetch(request, { address: '192.0.2.1' });
    }
    expect([...read].toSorted()).toEqual([...readHeaders, 'authorization'].toSorted());
  });

  test('a long claim of a token is seen by its parser alone', async () => {
    const { auth } = service.world;
    const claims = 'sub iss aud email email_verified name auth_time iat nbf jti x'.split(' ');
    for (const claim of claims) {
      const signed = await signToken(auth, 'ada', { email: 'ada@example.org', [claim]: textOf(9_000) });
      expect(signed.length).toBeLessThan(maxAuthorization);
      const request = requestTo('/user/me', 'get', { headers: { authorization: `Bearer ${signed}` } });
      const { calls } = await seen(service.app, request);
      expect(
        calls.filter((call) => !parsesClaims.test(call)),
        claim,
      ).toEqual([]);
    }
  });
});

/** jose decodes the claims, whose length that of the header bounds. */
const parsesClaims = /^(?:TextDecoder\.prototype\.decode|JSON\.parse) .* from webapi\/(?:lib|jwt|util)\//;

test('a route that normalises before the length is found', async () => {
  const early = z
    .string()
    .transform((label) => label.normalize('NFC'))
    .refine((label) => label.length < 10);
  const app = new Hono()
    .onError((_, c) => c.body(null, 400))
    .post(
      '/broken',
      documented({ id: 'break', tag: 'Broken', summary: 'Breaks', access: 'open', answers: {} }),
      body(z.strictObject({ label: early, good: text(1, 10) }).partial()) as never,
      (c) => c.body(null, 204),
    );
  const [route] = routesOf(JSON.parse(await documentOf(app.routes)));
  const results = await bodiesSeen({ fetch: async (request) => app.fetch(request) }, route as Route);
  const calls = (place: string) => results.find(({ what }) => what.endsWith(place))?.calls.join();
  expect(calls('as label')).toMatch(/^String\.prototype\.normalize saw 200000/);
  expect(calls('as good')).toBe('');
});
