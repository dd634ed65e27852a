import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { readSettings } from '../../src/platform/server/settings.ts';
import { settingDefaults } from '../../tools/settings/defaults.ts';

const secret = 'a secret that is a little longer than thirty-two bytes';
const local = {
  FIELDBELL_LOCAL: 'true',
  AUTH_ISSUER: 'https://login.example.org/',
  AUTH_AUDIENCE: 'fieldbell',
  AUTH_SECRET: secret,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'hush-hush-hush',
  SNS_PLATFORM_APPLICATIONS: '{"android":"arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell"}',
};
const production = {
  ...local,
  FIELDBELL_LOCAL: undefined,
  AUTH_SECRET: undefined,
  AUTH_JWKS_URL: 'https://login.example.org/keys',
};

/** The lines of the message, one for each variable at fault. */
function complaints(env: object, read: (env: object) => unknown = readConfig): string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

const complainsOf = (env: object, ...variables: string[]) =>
  expect(complaints(env).map((line) => line.split(' ', 1)[0])).toEqual(variables);

test('complete settings are read, of the local mode and of a provider', () => {
  expect(readConfig(local).auth).toEqual({
    issuer: 'https://login.example.org/',
    audience: 'fieldbell',
    keys: { secret },
  });
  expect(readConfig(production).auth.keys).toEqual({ jwksUrl: 'https://login.example.org/keys' });
});

const required = [
  'AUTH_ISSUER',
  'AUTH_AUDIENCE',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'SNS_PLATFORM_APPLICATIONS',
] as const;

test.each(required)('without %s nothing starts', (variable) => {
  complainsOf({ ...local, [variable]: undefined }, variable);
  complainsOf({ ...local, [variable]: '' }, variable);
});

test('everything that is missing is named at once', () => {
  expect(
    complaints({})
      .map((line) => line.split(' ', 1)[0])
      .toSorted(),
  ).toEqual([...required, 'AUTH_JWKS_URL'].toSorted());
});

test('tokens are verified by a key set or by a secret, never by both, never by neither', () => {
  complainsOf({ ...local, AUTH_JWKS_URL: 'https://login.example.org/keys' }, 'AUTH_SECRET');
  complainsOf({ ...local, AUTH_SECRET: undefined }, 'AUTH_JWKS_URL');
  complainsOf({ ...local, AUTH_SECRET: '' }, 'AUTH_JWKS_URL');
});

test('the secret has at least 32 bytes', () => {
  complainsOf({ ...local, AUTH_SECRET: 'x'.repeat(31) }, 'AUTH_SECRET');
  complainsOf({ ...local, AUTH_SECRET: 'x'.repeat(32) });
  // 11 characters, 33 bytes.
  complainsOf({ ...local, AUTH_SECRET: '鍵'.repeat(11) });
  complainsOf({ ...local, AUTH_SECRET: '鍵'.repeat(10) }, 'AUTH_SECRET');
});

test('keys are fetched by https, or from the loopback address', () => {
  for (const url of ['http://localhost:9000/keys', 'http://127.0.0.1/keys', 'http://[::1]:8080/keys'])
    complainsOf({ ...production, AUTH_JWKS_URL: url });
  for (const url of [
    'http://login.example.org/keys',
    'http://localhost.example.org/keys',
    'http://127.0.0.1.example.org/keys',
    'http://[2001:db8::1]/keys',
    'ftp://login.example.org/keys',
    'login.example.org/keys',
  ])
    complainsOf({ ...production, AUTH_JWKS_URL: url }, 'AUTH_JWKS_URL');
});

test('platform applications are a map from a name to an ARN', () => {
  for (const text of ['{', '[]', '"x"', '{"android":"arn"}', '{"An Droid":"arn:aws:sns:eu:1:app/GCM/x"}'])
    complainsOf({ ...local, SNS_PLATFORM_APPLICATIONS: text }, 'SNS_PLATFORM_APPLICATIONS');
  complainsOf({ ...local, SNS_ENDPOINT: 'ftp://127.0.0.1/' }, 'SNS_ENDPOINT');
  complainsOf({ ...local, SNS_ENDPOINT: 'http://127.0.0.1:8788/' });
});

test('origins are a list, each exactly as browsers send it; there are none by default', () => {
  const originsOf = (CORS_ORIGINS: string) => readConfig({ ...local, CORS_ORIGINS }).corsOrigins;
  expect(readConfig(local).corsOrigins).toEqual([]);
  expect(originsOf('https://app.example.org, http://localhost:5173')).toEqual([
    'https://app.example.org',
    'http://localhost:5173',
  ]);
  expect(originsOf('["https://app.example.org"]')).toEqual(['https://app.example.org']);
  for (const text of [
    '*',
    'null',
    'app.example.org',
    'https://app.example.org/',
    'https://App.example.org',
    'https://*.example.org',
    'https://app.example.org:443',
    'ftp://app.example.org',
    '["https://app.example.org"',
    '[1]',
  ])
    complainsOf({ ...local, CORS_ORIGINS: text }, 'CORS_ORIGINS');
});

test('a complaint never quotes a value', () => {
  const values = {
    ...local,
    AUTH_SECRET: 'short-secret-value',
    AUTH_JWKS_URL: 'http://user:pass-value@login.example.org/',
    SNS_ENDPOINT: 'endpoint-value',
    SNS_PLATFORM_APPLICATIONS: '{"android":"arn-value"}',
  };
  const message = complaints(values).join('\n');
  expect(message.split('\n').length).toBeGreaterThanOrEqual(4);
  expect(message).not.toMatch(/-value|hush/);
});

test('delivery objects: how many and where, with a default that needs no setting', () => {
  expect(readConfig(local).delivery).toEqual({ objects: 16 });
  const settings = { ...local, DELIVERY_OBJECTS: '0', DELIVERY_LOCATION: 'enam' };
  expect(readConfig(settings).delivery).toEqual({ objects: 0, location: 'enam' });
  complainsOf({ ...local, DELIVERY_OBJECTS: '1001' }, 'DELIVERY_OBJECTS');
  expect(complaints({ ...local, DELIVERY_LOCATION: 'Paris' })[0]).toContain('is not one of wnam, enam');
});

describe('published secrets', () => {
  const { FIELDBELL_LOCAL: _, AUTH_SECRET, ...rest } = settingDefaults;
  const deployed = { ...rest, AUTH_JWKS_URL: 'https://login.example.org/keys' };
  const names = [
    'AWS_SECRET_ACCESS_KEY',
    'VAPID_PRIVATE_KEY',
    'AUDIT_SIGNING_KEY',
    'PARTICIPANT_SIGNING_KEY',
  ];
  const named = (lines: string[]) => lines.map((line) => line.split(' ', 1)[0]);

  test('are taken in local mode alone, and each one that is refused is named, without its value', () => {
    complainsOf(settingDefaults);
    const lines = complaints(deployed);
    expect(named(lines).toSorted()).toEqual(names.toSorted());
    for (const line of lines) expect(line).toMatch(/ is published with the source of Fieldbell/);
    expect(named(complaints({ ...rest, AUTH_SECRET })).toSorted()).toEqual(
      [...names, 'AUTH_SECRET'].toSorted(),
    );
    for (const value of Object.values(rest).filter((one) => one.length > 10))
      expect(lines.join()).not.toContain(value);
  });

  test('are refused beside keys of one’s own, in a list, and under another name', () => {
    const own = `MC4CAQAwBQYDK2VwBCIEI${'A'.repeat(43)}`;
    const key = settingDefaults.PARTICIPANT_SIGNING_KEY;
    complainsOf({ ...production, PARTICIPANT_SIGNING_KEY: own, AUDIT_SIGNING_KEY: own });
    complainsOf({ ...production, PARTICIPANT_SIGNING_KEY: `${own},${key}` }, 'PARTICIPANT_SIGNING_KEY');
    complainsOf({ ...production, PARTICIPANT_SIGNING_KEY: `["${key}","${own}"]` }, 'PARTICIPANT_SIGNING_KEY');
    complainsOf({ ...production, AUDIT_SIGNING_KEY: key }, 'AUDIT_SIGNING_KEY');
    complainsOf({ ...production, METRICS_TOKEN: settingDefaults.AUTH_SECRET }, 'METRICS_TOKEN');
  });

  const onServer = (more: object, ...args: string[]) =>
    named(complaints({ FIELDBELL_DB: 'x.db', ...more }, (env) => readSettings(env as never, args)));

  test('on a server, are taken by the argument --local on a loopback address, whatever a file of settings says', () => {
    expect(onServer(settingDefaults, '--local')).toEqual([]);
    for (const HOST of ['127.0.0.1', 'localhost', '::1', '127.0.0.2'])
      expect(onServer({ ...settingDefaults, HOST }, '--local')).toEqual([]);
    expect(onServer(settingDefaults).toSorted()).toEqual([...names, 'AUTH_SECRET'].toSorted());
    for (const HOST of ['0.0.0.0', '::', '192.168.1.4', 'localhost.example.org', 'fieldbell.localhost'])
      expect(onServer({ ...settingDefaults, HOST }, '--local')).toEqual(
        expect.arrayContaining([...names, 'AUTH_SECRET', 'HOST']),
      );
  });

  test('a shared secret of one’s own is for a loopback address', () => {
    const mine = { ...production, AUTH_JWKS_URL: undefined, AUTH_SECRET: 'x'.repeat(32) };
    complainsOf(mine, 'AUTH_SECRET');
    expect(onServer(mine)).toEqual([]);
    expect(onServer({ ...mine, HOST: '0.0.0.0' })).toEqual(['AUTH_SECRET']);
    expect(onServer({ ...production, HOST: '0.0.0.0' })).toEqual([]);
  });
});

describe('VAPID_SUBJECT', () => {
  const withSubject = (VAPID_SUBJECT: string) => ({
    ...production,
    VAPID_PRIVATE_KEY: randomBytes(32).toString('base64url'),
    VAPID_SUBJECT,
  });

  test.each([
    'mailto:study@localhost',
    'mailto:a@b',
    'mailto:x@STUDY.Test',
    'mailto:x@nas.home.arpa',
    'mailto:x@10.0.0.1',
    'mailto:x@example.org.',
    'mailto:x@example.org/y',
    'mailto:',
    'x@example.org',
    'https://localhost:8787/contact',
    'https://[::1]/',
    'https://user:secret@example.org/',
    'http://example.org/',
  ])('%s, which push services refuse, is refused at the start', (subject) => {
    const { VAPID_PRIVATE_KEY, VAPID_SUBJECT } = withSubject(subject);
    for (const env of [withSubject(subject), { ...local, VAPID_PRIVATE_KEY, VAPID_SUBJECT }]) {
      complainsOf(env, 'VAPID_SUBJECT');
      expect(complaints(env).join()).not.toContain('secret');
    }
  });

  test.each([
    'mailto:study@example.org',
    'mailto:study+push@uni-münchen.de',
    'mailto:study@xn--uni-mnchen-web.de',
    'mailto:study@clinic.example.co.uk?subject=push',
    'https://example.org',
    'https://study.example.org:8443/contact?lang=en',
  ])('%s is taken', (subject) => {
    expect(readConfig(withSubject(subject)).webPush?.subject).toBe(subject);
  });

  test('of local mode has a domain, too', () => {
    expect(readConfig({ ...local, ...settingDefaults }).webPush?.subject).toBe(settingDefaults.VAPID_SUBJECT);
  });
});
