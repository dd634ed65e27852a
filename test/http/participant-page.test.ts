import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { readAnswer } from '../support/people.ts';
import { readChecked } from '../support/worker/contract.ts';

const html = '<!doctype html><title>Fieldbell</title>';

/** An app whose page was built, or was not. */
async function ask(path: string, page: string | null = html, init?: RequestInit) {
  const services = {
    ...createServices(env),
    log: () => {},
    page: async (folder: string) => (folder === 'p' ? page : null),
  };
  const answer = await createApp(services, readConfig(env)).request(path, init);
  return path === '/p/' ? readChecked(init?.method ?? 'GET', path, answer) : readAnswer(answer);
}

test('the page may run its own files and call this service, and nothing else', async () => {
  const { status, text, headers } = await ask('/p/');
  expect([status, text]).toEqual([200, html]);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; .*connect-src 'self';/);
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types fieldbell");
  // An iPhone's own manifest, which runs and sends nothing.
  expect(policy.replace("manifest-src 'self' data:", '')).not.toMatch(/unsafe|https?:|data:|blob:/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-cache');
});

test('its address without the slash leads to it, so that the browser keeps the code of a link', async () => {
  const { status, headers } = await ask('/p');
  expect([status, headers.get('location')]).toEqual([307, '/p/']);
});

test('without a build there is no page, and nothing else is there in its place', async () => {
  expect((await ask('/p/', null)).status).toBe(404);
  expect((await ask('/p/assets/old-ABCDEFGH.js')).status).toBe(401);
  expect((await ask('/p/settings')).status).toBe(401);
  expect((await ask('/p/', html, { method: 'POST' })).body.code).toBe('request.method-not-allowed');
});
