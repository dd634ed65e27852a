import { writeFileSync } from 'node:fs';
import {
  CreatePlatformApplicationCommand,
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  GetEndpointAttributesCommand,
  PublishCommand,
  SetEndpointAttributesCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSns } from '../../../src/push/sns/push.ts';
import type { PushMessage, PushService } from '../../../src/services.ts';
import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../../tools/fakes/sns/server.ts';
import { hasMoto, startMoto } from '../../support/moto.ts';

/*
 * The relay's whole life, through AWS's own client on the other side, against two servers that speak SNS: the local one,
 * and moto, by other authors. Differences between moto and AWS stand at the end.
 */

const { region, accessKeyId, secretAccessKey, platformApplications } = snsDefaults;
const credentials = { accessKeyId, secretAccessKey };

interface Server {
  url: string;
  stop(): Promise<void>;
}

const startLocal = async (): Promise<Server> => {
  const sns = await startSns({ ...snsDefaults, port: 0 });
  return { url: sns.url, stop: sns.close };
};

test.runIf(process.env.CI === 'true')('in CI moto_server is on the PATH', () => {
  expect(hasMoto()).toBe(true);
});

let tokens = 0;
const newToken = () => `token-${++tokens}-${crypto.randomUUID()}`;

const servers: [string, boolean, () => Promise<Server>][] = [
  ['the local SNS', true, startLocal],
  ['moto', hasMoto(), startMoto],
];

for (const [name, available, start] of servers)
  describe.runIf(available)(`against ${name}`, () => suite(name === 'moto', start));

function suite(isMoto: boolean, start: () => Promise<Server>) {
  let server: Server;
  let aws: SNSClient;
  let relay: PushService;
  let applications: Record<'android' | 'ios', string>;

  beforeAll(async () => {
    server = await start();
    aws = new SNSClient({ endpoint: server.url, region, credentials, maxAttempts: 1 });
    applications = isMoto
      ? { android: await newApplication('GCM'), ios: await newApplication('APNS') }
      : platformApplications;
    relay = createSns({ region, ...credentials, endpoint: server.url, platformApplications: applications });
  });

  afterAll(async () => {
    aws?.destroy();
    await server?.stop();
    if (isMoto) writeFileSync(inject('motoRan'), '');
  });

  async function newApplication(Platform: string): Promise<string> {
    const Attributes = { PlatformPrincipal: 'principal', PlatformCredential: 'credential' };
    const Name = `fieldbell-${crypto.randomUUID()}`;
    const made = await aws.send(new CreatePlatformApplicationCommand({ Name, Platform, Attributes }));
    return made.PlatformApplicationArn ?? '';
  }

  async function registered(token = newToken(), platform = 'android'): Promise<string> {
    const registration = await relay.register({ platform, token });
    if (registration.state !== 'registered') throw new Error(registration.error);
    return registration.endpoint;
  }

  const attributesOf = async (EndpointArn: string) =>
    (await aws.send(new GetEndpointAttributesCommand({ EndpointArn }))).Attributes;
  const setAttributes = (EndpointArn: string, Attributes: Record<string, string>) =>
    aws.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));
  const remove = (EndpointArn: string) => aws.send(new DeleteEndpointCommand({ EndpointArn }));

  const reminder = (endpoint: string): PushMessage => ({
    endpoint,
    title: 'Sleep diary',
    body: 'Guten Morgen, Zoë! 😴 <&>',
    data: { survey: 's', investigation: 'i', notification: 'n' },
    collapseId: 'n',
    ttlSeconds: 3600,
  });

  test.each(['android', 'ios'])('a phone on %s is registered and pushed to', async (platform) => {
    const token = newToken();
    const endpoint = await registered(token, platform);
    expect(endpoint).toContain(`${applications[platform as 'ios'].replace(':app/', ':endpoint/')}/`);
    expect(await attributesOf(endpoint)).toEqual({ Enabled: 'true', Token: token });
    expect(await relay.send(reminder(endpoint))).toEqual({ state: 'sent', messageId: expect.any(String) });
  });

  test('registering again changes nothing', async () => {
    const token = newToken();
    const endpoint = await registered(token);
    expect(await registered(token)).toBe(endpoint);
    expect(await relay.register({ platform: 'android', token, endpoint })).toEqual({
      state: 'registered',
      endpoint,
    });
  });

  test.each(['known', 'forgotten'])('a disabled endpoint that is %s is healed', async (knowledge) => {
    const token = newToken();
    const endpoint = await registered(token);
    await setAttributes(endpoint, { Enabled: 'false' });
    expect(await relay.check({ endpoint, token })).toEqual({ state: 'disabled' });
    expect(await relay.send(reminder(endpoint))).toMatchObject({ state: 'gone' });
    const known = knowledge === 'known' ? endpoint : null;
    expect(await relay.register({ platform: 'android', token, endpoint: known })).toEqual({
      state: 'registered',
      endpoint,
    });
    expect(await relay.check({ endpoint, token })).toEqual({ state: 'reachable' });
    expect(await relay.send(reminder(endpoint))).toMatchObject({ state: 'sent' });
  });

  test('an endpoint takes a new token', async () => {
    const [old, token] = [newToken(), newToken()];
    const endpoint = await registered(old);
    const renewed = await relay.register({ platform: 'android', token, endpoint });
    expect(renewed).toEqual({ state: 'registered', endpoint });
    expect(await attributesOf(endpoint)).toEqual({ Enabled: 'true', Token: token });
    expect(await relay.check({ endpoint, token: old })).toEqual({ state: 'other' });
  });

  test('a deleted endpoint is made again', async () => {
    const token = newToken();
    const endpoint = await registered(token);
    await remove(endpoint);
    expect(await relay.check({ endpoint, token })).toEqual({ state: 'missing' });
    expect(await relay.send(reminder(endpoint))).toMatchObject({ state: 'gone' });
    const again = await relay.register({ platform: 'android', token, endpoint });
    expect(again).toMatchObject({ state: 'registered' });
    expect(await relay.send(reminder((again as { endpoint: string }).endpoint))).toMatchObject({
      state: 'sent',
    });
  });

  test('a removed endpoint is gone, and removing it again is fine', async () => {
    const endpoint = await registered();
    expect(await relay.remove(endpoint)).toEqual({ state: 'removed' });
    await expect(attributesOf(endpoint)).rejects.toMatchObject({ name: 'NotFoundException' });
    expect(await relay.remove(endpoint)).toEqual({ state: 'removed' });
  });

  test('an application that does not exist is no fault of the token', async () => {
    const elsewhere = createSns({
      region,
      ...credentials,
      endpoint: server.url,
      platformApplications: { android: `${applications.android}-2` },
    });
    expect(await elsewhere.register({ platform: 'android', token: newToken() })).toMatchObject({
      state: 'unavailable',
    });
  });

  describe(isMoto ? 'moto differs from AWS' : 'the local SNS is like AWS', () => {
    const create = async (application: string, Token: string) =>
      (await aws.send(new CreatePlatformEndpointCommand({ PlatformApplicationArn: application, Token })))
        .EndpointArn;
    const publish = (TargetArn: string, message: object) =>
      aws.send(new PublishCommand({ TargetArn, MessageStructure: 'json', Message: JSON.stringify(message) }));

    test('in whether a token belongs to one application only', async () => {
      const token = newToken();
      const endpoint = await create(applications.android, token);
      expect((await create(applications.ios, token)) === endpoint).toBe(isMoto);
    });

    test('in whether a disabled endpoint may be created again', async () => {
      const token = newToken();
      const endpoint = (await create(applications.android, token)) ?? '';
      await setAttributes(endpoint, { Enabled: 'false' });
      const again = create(applications.android, token);
      if (isMoto) await expect(again).rejects.toThrow(/already exists with the same Token/);
      else expect(await again).toBe(endpoint);
    });

    test('in which token an endpoint is found by, once it was changed', async () => {
      const [old, token] = [newToken(), newToken()];
      const endpoint = (await create(applications.android, old)) ?? '';
      await setAttributes(endpoint, { Token: token });
      expect((await create(applications.android, token)) === endpoint).toBe(!isMoto);
    });

    test('in how a missing endpoint is called when it is published to', async () => {
      const endpoint = (await create(applications.android, newToken())) ?? '';
      await remove(endpoint);
      const name = isMoto ? 'NotFoundException' : 'InvalidParameterException';
      await expect(publish(endpoint, { default: 'x' })).rejects.toMatchObject({ name });
    });

    test('in whether payloads and tokens are checked', async () => {
      const endpoint = (await create(applications.android, newToken())) ?? '';
      const taken = async (call: Promise<unknown>) =>
        call.then(
          () => true,
          () => false,
        );
      expect(await taken(publish(endpoint, { default: 'x', GCM: 'not JSON' }))).toBe(isMoto);
      expect(await taken(create(applications.android, ''))).toBe(isMoto);
    });

    test('in whether a signature is checked', async () => {
      const stranger = createSns({
        region,
        accessKeyId: 'stranger',
        secretAccessKey: 'wrong',
        endpoint: server.url,
        platformApplications: applications,
      });
      expect(
        await stranger.send(reminder((await create(applications.android, newToken())) ?? '')),
      ).toMatchObject({
        state: isMoto ? 'sent' : 'misconfigured',
      });
    });
  });
}
