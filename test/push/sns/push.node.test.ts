import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSns, type SnsSettings } from '../../../src/push/sns/push.ts';
import type { PushMessage, PushService } from '../../../src/services.ts';
import { type LocalSns, startSns } from '../../../tools/fakes/sns/server.ts';
import { posts } from './posts.ts';

const credentials = { region: 'eu-central-1', accessKeyId: 'AKIALOCAL', secretAccessKey: 'local/secret+key' };
const platformApplications = {
  ios: 'arn:aws:sns:eu-central-1:000000000000:app/APNS/fieldbell-ios',
  'ios-sandbox': 'arn:aws:sns:eu-central-1:000000000000:app/APNS_SANDBOX/fieldbell-ios',
  android: 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android',
};
const token = 'fcm-token-of-ada:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ';
const otherToken = 'fcm-token-of-grace:APA91bFoi3lMMre9G3XzR1LrF4ZT82_15MsMdEICogXSLB8';

describe.each(posts)('with %s', (_, post) => {
  let local: LocalSns;
  let sns: PushService;
  let errors: string[];

  beforeEach(async () => {
    local = await startSns({ port: 0, ...credentials, platformApplications });
    errors = [];
    sns = connect();
  });

  afterEach(async () => {
    await local.close();
    for (const error of errors) {
      expect(error).not.toMatch(/arn:|endpoint\/|APA91|AKIA|secret\+key/);
      expect(error.length).toBeLessThanOrEqual(160);
    }
  });

  /** The relay under test; its texts about failures are kept, and checked after each test. */
  function connect(settings: Partial<SnsSettings> = {}): PushService {
    const push = createSns({
      post,
      ...credentials,
      platformApplications,
      endpoint: local.url,
      timeoutMs: 60_000,
      ...settings,
    });
    const keep = <T extends object>(outcome: T): T => {
      if ('error' in outcome) errors.push(String(outcome.error));
      return outcome;
    };
    return {
      ...push,
      check: async (device) => keep(await push.check(device)),
      register: async (device) => keep(await push.register(device)),
      remove: async (endpoint) => keep(await push.remove(endpoint)),
      send: async (message) => keep(await push.send(message)),
    };
  }

  async function tell(path: string, body: object): Promise<void> {
    const response = await fetch(local.url + path, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }

  async function phones(): Promise<{ arn: string; token: string; enabled: boolean }[]> {
    const list = (await (await fetch(`${local.url}/phones`)).json()) as Awaited<ReturnType<typeof phones>>;
    return list.map(({ arn, token, enabled }) => ({ arn, token, enabled }));
  }

  async function registered(platform = 'android', deviceToken = token, relay = sns): Promise<string> {
    const registration = await relay.register({ platform, token: deviceToken });
    if (registration.state !== 'registered') throw new Error(registration.error);
    return registration.endpoint;
  }

  function reminder(endpoint: string): PushMessage {
    const notification = '019a0000000070008000000000000003';
    return {
      endpoint,
      title: 'Sleep diary',
      body: 'Guten Morgen, Zoë! Wie hast du geschlafen? 😴 <&+"1–5"%',
      data: { survey: '019a01', investigation: '019a02', notification },
      collapseId: notification,
      ttlSeconds: 3600,
    };
  }

  describe('registering a device', () => {
    it('finds the endpoint that has the new token already', async () => {
      const endpoint = await registered();
      const other = await registered('android', otherToken);
      await tell('/phones/disable', { token: otherToken });
      const renewed = await sns.register({ platform: 'android', token: otherToken, endpoint });
      expect(renewed).toEqual({ state: 'registered', endpoint: other });
      expect(await phones()).toContainEqual({ arn: other, token: otherToken, enabled: true });
    });

    it('creates an endpoint on its new platform', async () => {
      const android = await registered();
      const moved = await sns.register({ platform: 'ios', token, endpoint: android });
      expect(moved).toEqual({ state: 'registered', endpoint: expect.stringContaining(':endpoint/APNS/') });
      expect(await phones()).toHaveLength(2);
    });

    it('does not take an application for another whose name begins alike', async () => {
      const endpoint = await registered();
      const applications = { android: platformApplications.android.slice(0, -1) };
      const relay = connect({ platformApplications: applications });
      expect(await relay.register({ platform: 'android', token, endpoint })).toMatchObject({
        state: 'unavailable',
      });
      expect(await phones()).toHaveLength(1);
    });

    it.each([
      ['', 'InvalidParameter: Invalid parameter: Token Reason: cannot be empty'],
      ['f'.repeat(401), expect.stringContaining('no more than 400 hexadecimal characters')],
    ])('is refused with a token that SNS does not take', async (bad, error) => {
      expect(await sns.register({ platform: 'ios', token: bad })).toEqual({ state: 'refused', error });
      expect(await phones()).toEqual([]);
    });

    it('is refused with a bad token in place of a good one', async () => {
      const endpoint = await registered('ios', 'ab'.repeat(32));
      const bad = await sns.register({ platform: 'ios', token: 'f'.repeat(401), endpoint });
      expect(bad).toMatchObject({ state: 'refused' });
      expect(await phones()).toEqual([{ arn: endpoint, token: 'ab'.repeat(32), enabled: true }]);
    });
  });

  describe('removing an endpoint', () => {
    it('that is no ARN leaves nothing to delete', async () => {
      expect(await sns.remove('arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/x/y')).toEqual({
        state: 'removed',
      });
    });
  });

  describe('sending a push', () => {
    it.each(Object.keys(platformApplications))('reaches the phone on %s', async (platform) => {
      const endpoint = await registered(platform);
      const message = reminder(endpoint);
      const outcome = await sns.send(message);
      const [entry, ...more] = local.inbox.list();
      expect(outcome).toEqual({ state: 'sent', messageId: entry?.messageId });
      expect(more).toEqual([]);
      expect(entry).toMatchObject({ endpointArn: endpoint, token, title: message.title, body: message.body });
      expect(entry?.data).toEqual(message.data);
    });

    it('too long for the push service has failed', async () => {
      const endpoint = await registered();
      const outcome = await sns.send({ ...reminder(endpoint), body: 'a'.repeat(4096) });
      expect(outcome).toMatchObject({ state: 'failed' });
    });

    it.each([
      [{ accessKeyId: 'AKIAWRONG' }, 'InvalidClientTokenId'],
      [{ secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
      [{ region: 'us-east-1' }, 'SignatureDoesNotMatch'],
    ])('with the wrong %o waits for a better configuration', async (settings, code) => {
      const endpoint = await registered();
      const outcome = await connect(settings).send(reminder(endpoint));
      expect(outcome).toEqual({ state: 'misconfigured', error: expect.stringContaining(code) });
    });
  });

  describe('the settings', () => {
    it('name the platforms', () => {
      expect(sns.platforms).toEqual(['ios', 'ios-sandbox', 'android']);
    });

    it('are checked at the start', () => {
      expect(() => connect({ endpoint: 'not a URL' })).toThrow(TypeError);
    });

    it('without an address lead to AWS, with the session token in the signature', async () => {
      const calls: { url: string; headers: Headers }[] = [];
      const relay = createSns({
        ...credentials,
        sessionToken: 'session',
        platformApplications,
        fetch: async (url, init) => {
          calls.push({ url: String(url), headers: new Headers(init?.headers) });
          return new Response('<DeleteEndpointResponse></DeleteEndpointResponse>');
        },
      });
      expect(await relay.remove('arn')).toEqual({ state: 'removed' });
      const [call] = calls;
      expect(call?.url).toBe('https://sns.eu-central-1.amazonaws.com/');
      expect(call?.headers.get('content-type')).toBe('application/x-www-form-urlencoded; charset=utf-8');
      expect(call?.headers.get('x-amz-security-token')).toBe('session');
      expect(call?.headers.get('authorization')).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIALOCAL\/\d{8}\/eu-central-1\/sns\/aws4_request, SignedHeaders=[\w;-]*x-amz-security-token/,
      );
    });
  });
});
