import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import worker from '../../src/worker.ts';
import { signUp } from '../support/worker/world.ts';

/* A deployed Worker with the file `.dev.vars` of local mode, whose secrets everybody knows: no request that reaches it is local. */

const ask = (url: string, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request(url, { headers }) as Parameters<typeof worker.fetch>[0];
  return worker.fetch(request, env, createExecutionContext());
};

test('Mallory’s token, signed by the published secret, reads nothing of a deployed Worker', async () => {
  const ada = await signUp('Ada');
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const origin of [
    'https://fieldbell.ada.workers.dev',
    'https://fieldbell.example.org',
    'https://localhost.example.org',
    'https://127.0.0.1.example.org',
    'https://192.168.1.4',
  ])
    for (const path of ['/user/me', '/health', '/openapi.json', '/console/config']) {
      const answer = await ask(`${origin}${path}`, ada.token);
      expect([answer.status, ((await answer.json()) as { code: string }).code], `${origin}${path}`).toEqual([
        500,
        'internal.error',
      ]);
    }
  expect(error.mock.calls.flat().join('\n')).toMatch(/^Fieldbell cannot start:\nFIELDBELL_LOCAL /);
});

test('on the developer’s machine the Worker answers', async () => {
  const ada = await signUp('Ada');
  for (const origin of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])
    expect((await ask(`${origin}/user/me`, ada.token)).status, origin).toBe(200);
});
