import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { signToken } from '../support/people.ts';
import { run } from './support/processes.ts';
import { open, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { newWorld } from './support/worlds.ts';

let service: Service;

beforeAll(async () => {
  service = await open('node');
});

afterAll(() => service.dispose());

async function smoke(url: string, env: NodeJS.ProcessEnv = {}) {
  const running = run(process.execPath, ['tools/smoke.ts', url], { cwd: process.cwd(), env });
  return { code: await running.ended, text: running.lines.join('\n') };
}

test('the smoke test passes against a service that works', async () => {
  const { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_SECRET } = settings('');
  const { code, text } = await smoke(service.url, { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_SECRET });
  expect(text).toContain('The deployment works.');
  expect(text).not.toContain('FAILED');
  expect(text.match(/^ok /gm)?.length).toBe(9);
  expect(code).toBe(0);
});

test('it deletes its study, and what an interrupted run left of one', async () => {
  const { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_SECRET } = settings('');
  const { auth } = newWorld(service);
  const { api } = createClient({ baseUrl: service.url, token: () => signToken(auth, 'smoke-test') });
  const left = await (await api.investigation.$post({ json: { name: 'Smoke test' } })).json();
  await api.investigation[':id'].$patch({ param: { id: left.identifier }, json: { status: 'archived' } });
  await api.investigation.$post({ json: { name: 'Another study' } });
  expect((await smoke(service.url, { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_SECRET })).code).toBe(0);
  const { investigations } = await (await api.investigation.$get()).json();
  expect(investigations).toMatchObject([{ name: 'Another study', status: 'active' }]);
});

test('it fails, and says where, with a token that the service does not take', async () => {
  const { code, text } = await smoke(service.url, { SMOKE_TOKEN: 'not-a-token' });
  expect(text).toMatch(/FAILED {2}sign up: 401 auth\.token-invalid/);
  expect(code).toBe(1);
});

test('it fails where nobody answers, and asks for what it lacks', async () => {
  expect((await smoke('http://127.0.0.1:9')).code).toBe(1);
  expect((await smoke('https://fieldbell.example.org')).text).toContain('SMOKE_TOKEN is missing');
  expect((await smoke('nonsense')).code).toBe(2);
});
