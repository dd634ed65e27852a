import { generateKeyPairSync } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settingNames } from '../../src/config.ts';
import { run } from '../conformance/support/processes.ts';
import { denoPermissions, newFolder } from '../conformance/support/runtimes.ts';
import { signToken } from '../support/people.ts';
import { freePorts } from '../support/ports.ts';

const auth = {
  issuer: 'https://login.hospital.test/',
  audience: 'sleep-study',
  secret: 'a secret of this test only, of more than 32 bytes',
};

const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Differs from every local default. */
const values: Record<string, string> = {
  AUTH_ISSUER: auth.issuer,
  AUTH_AUDIENCE: auth.audience,
  AUTH_SECRET: auth.secret,
  AWS_REGION: 'us-west-2',
  AWS_ACCESS_KEY_ID: 'AKIAANOTHERKEY',
  AWS_SECRET_ACCESS_KEY: 'another-secret-key',
  AWS_SESSION_TOKEN: 'a-session-token',
  SNS_PLATFORM_APPLICATIONS: '{"watch":"arn:aws:sns:us-west-2:000000000000:app/GCM/watches"}',
  SNS_EVENT_TOPICS: 'arn:aws:sns:us-west-2:000000000000:watch-events',
  CORS_ORIGINS: 'https://app.hospital.test',
  METRICS_TOKEN: 'a-token-for-the-metrics',
  CONSOLE_ORIGINS: 'https://tokens.hospital.test',
  PUBLIC_ORIGIN: 'https://diary.hospital.test',
  VAPID_PRIVATE_KEY: 'YI5HvhCQ4_l2S96ebEEZ2oUtWLE5zKeh442xflnahDI',
  VAPID_SUBJECT: 'mailto:push@example.org',
  WEB_PUSH_HOSTS: 'push.hospital.test',
  PARTICIPANT_SIGNING_KEY: newKey(),
  DELIVERY_OBJECTS: '8',
  DELIVERY_LOCATION: 'eeur',
  MAX_STUDIES: '1',
  MAX_INVITATIONS: '500',
  MAX_INVITATIONS_FROM_ONE: '5',
  AUDIT_SIGNING_KEY: newKey(),
};
const wholeNumber = '500';

/** The start chooses the address of the local SNS itself, and a key set takes the place of the secret. */
const chosen = new Set(['SNS_ENDPOINT', 'AUTH_JWKS_URL']);

const starts = [
  ['npm start', 'node', ['tools/start/main.ts']],
  ['npm run start:node', 'node', ['tools/start/node.ts']],
  ['npm run start:deno', 'deno', ['run', ...denoPermissions, 'tools/start/deno.ts']],
] as const;

/** A start with this environment, and the settings that the service says it has. */
async function startWith(command: 'node' | 'deno', args: readonly string[], env: Record<string, string>) {
  const [port, snsPort] = await freePorts(2);
  const folder = await newFolder(command, 'fieldbell-environment-');
  const own = { PORT: `${port}`, SNS_PORT: `${snsPort}`, FIELDBELL_STATE: folder, FIELDBELL_LOG: 'all' };
  const service = run(join('node_modules/.bin', command), [...args], {
    cwd: '.',
    env: { NO_COLOR: '1', ...env, ...own },
  });
  onTestFinished(async () => {
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const [, settings = ''] = await service.line(/"event":"start".*"settings":"([^"]*)"/);
  return { settings: settings.split(' '), api: `http://127.0.0.1:${port}` };
}

test.each(starts)('%s passes on each variable of the schema', async (_, command, args) => {
  const env = Object.fromEntries(
    settingNames.filter((name) => !chosen.has(name)).map((name) => [name, values[name] ?? wholeNumber]),
  );
  const { settings, api } = await startWith(command, args, env);
  expect(settings.toSorted()).toEqual([...Object.keys(env), 'SNS_ENDPOINT'].toSorted());

  const token = await signToken(auth, 'ada');
  const post = (path: string, body: object) =>
    fetch(`${api}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('/user', { name: 'Ada' })).status).toBe(201);
  const watch = { platform: 'watch', token: 'watch-of-ada', timeZone: 'Europe/Paris' };
  expect((await post('/user/me/device', watch)).status, 'signed as the local SNS expects').toBe(201);
  expect((await post('/investigation', { name: 'Sleep' })).status).toBe(201);
  expect((await post('/investigation', { name: 'Too many' })).status).toBe(409);
});

test.each(starts)(
  '%s passes on the address of a key set, and no secret with it',
  async (_, command, args) => {
    const { settings } = await startWith(command, args, {
      AUTH_JWKS_URL: 'https://login.hospital.test/keys',
    });
    expect(settings).toContain('AUTH_JWKS_URL');
    expect(settings).not.toContain('AUTH_SECRET');
  },
);
