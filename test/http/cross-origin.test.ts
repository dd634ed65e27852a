import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { signUp } from '../support/worker/world.ts';

const page = 'https://app.example.org';

const appWith = (origins: string) =>
  createApp({ ...createServices(env), log: () => {} }, readConfig({ ...env, CORS_ORIGINS: origins }));

const preflight = (origin: string): RequestInit => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type,if-match',
  },
});

const corsHeaders = (answer: Response) =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));

test('closed by default: no origin is answered, and a preflight gets no leave', async () => {
  const app = appWith('');
  for (const path of ['/health', '/user/me']) {
    const answer = await app.request(path, { headers: { origin: page } });
    expect(corsHeaders(answer)).toEqual([]);
  }
  const answer = await app.request('/user/me', preflight(page));
  expect(answer.status).toBe(204);
  expect(corsHeaders(answer)).toEqual([]);
});

test('a preflight of a configured origin is answered without a token', async () => {
  const answer = await appWith(`https://other.example.org, ${page}`).request('/case/x', preflight(page));
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe(page);
  expect(answer.headers.get('access-control-allow-methods')?.split(',')).toEqual(
    expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  );
  expect(answer.headers.get('access-control-allow-headers')?.split(',')).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'if-match']),
  );
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(answer.headers.get('vary')).toContain('Origin');
});

test('its page may read answers of every kind, and the headers that clients need', async () => {
  const app = appWith(JSON.stringify([page]));
  const ada = await signUp('Ada');
  const as = (token: string) => ({ headers: { origin: page, authorization: `Bearer ${token}` } });
  for (const [path, init, status] of [
    ['/user/me', as(ada.token), 200],
    ['/user/me', as('nonsense'), 401],
    ['/nothing-here', as(ada.token), 404],
    ['/health', { headers: { origin: page } }, 200],
  ] as const) {
    const answer = await app.request(path, init);
    expect(answer.status, path).toBe(status);
    expect(answer.headers.get('access-control-allow-origin'), path).toBe(page);
    const exposed = answer.headers.get('access-control-expose-headers')?.split(',');
    for (const name of ['allow', 'etag', 'link', 'location', 'retry-after', 'x-request-id'])
      expect(exposed, path).toContain(name);
    expect(answer.headers.get('vary'), path).toContain('Origin');
  }
});

test('another origin gets no leave, however similar, and caches keep its answer apart', async () => {
  const app = appWith(page);
  for (const origin of [`${page}:8443`, 'http://app.example.org', `${page}.evil.example`, 'null', '*']) {
    const answers = [
      await app.request('/user/me', preflight(origin)),
      await app.request('/health', { headers: { origin } }),
    ];
    for (const answer of answers) {
      expect(corsHeaders(answer), origin).toEqual([]);
      expect(answer.headers.get('vary'), origin).toContain('Origin');
    }
  }
});
