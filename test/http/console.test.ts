import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { readAnswer } from '../support/people.ts';
import { readChecked } from '../support/worker/contract.ts';
import { send } from '../support/worker/world.ts';

const page = '<!doctype html><title>Fieldbell</title>';

const provider = {
  AUTH_SECRET: '',
  AUTH_ISSUER: 'https://login.example.org/study/',
  AUTH_JWKS_URL: 'https://login.example.org/keys',
  CONSOLE_CLIENT_ID: 'fieldbell-console',
  CONSOLE_ORIGINS: 'https://tokens.example.org',
};

/** An app whose console was built, or was not. */
async function ask(
  path: string,
  settings: object = {},
  consolePage: string | null = page,
  init?: RequestInit,
) {
  const services = { ...createServices(env), log: () => {}, page: async () => consolePage };
  const app = createApp(services, readConfig({ ...env, ...settings }));
  const answer = await app.request(path, init);
  // The paths below are screens, which the document does not list.
  const isListed = /^\/(?:console(?:\/config)?)?$/.test(path);
  return isListed ? readChecked(init?.method ?? 'GET', path, answer) : readAnswer(answer);
}

test('the page is served at every path below, and may call nobody but the service and the provider', async () => {
  for (const path of ['/console', '/console/', '/console/studies/any/data?locked=true']) {
    const { status, text, headers } = await ask(path, provider);
    expect([status, text], path).toEqual([200, page]);
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://login.example.org https://tokens.example.org;",
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
  }
});

test('without a client at the provider it may call nobody else', async () => {
  const { headers } = await ask('/console', { ...provider, CONSOLE_CLIENT_ID: '' });
  expect(headers.get('content-security-policy')).toContain("connect-src 'self';");
});

test('without a build there is no console, nor any file that a build lacks', async () => {
  expect((await ask('/console', {}, null)).status).toBe(404);
  expect((await ask('/console/assets/old-ABCDEFGH.js')).status).toBe(404);
});

test('the root leads to the console where one was built, and to the API where none was', async () => {
  const locationOf = async (consolePage: string | null) =>
    (await ask('/', {}, consolePage)).headers.get('location');
  expect([await locationOf(page), await locationOf(null)]).toEqual(['/console', '/docs/']);
});

test('only GET shows it', async () => {
  expect((await ask('/console', {}, page, { method: 'POST' })).body.code).toBe('request.method-not-allowed');
});

test('its settings tell where people sign in, and no secret', async () => {
  expect((await ask('/console/config', provider)).body).toEqual({
    issuer: 'https://login.example.org/study/',
    audience: env.AUTH_AUDIENCE,
    clientId: 'fieldbell-console',
    scope: 'openid email',
    origins: ['https://login.example.org', 'https://tokens.example.org'],
    local: false,
  });
  const { body, text } = await send('/console/config');
  expect(body).toMatchObject({ clientId: null, origins: [], local: true });
  expect(text).not.toContain(env.AUTH_SECRET);
});
