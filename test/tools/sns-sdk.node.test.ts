import {
  AuthorizationErrorException,
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  EndpointDisabledException,
  GetEndpointAttributesCommand,
  InternalErrorException,
  InvalidParameterException,
  NotFoundException,
  PlatformApplicationDisabledException,
  PublishCommand,
  SetEndpointAttributesCommand,
  SNSClient,
  SNSServiceException,
  ThrottledException,
} from '@aws-sdk/client-sns';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pushPayload } from '../../src/push/sns/payloads.ts';
import { createSns } from '../../src/push/sns/push.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { type LocalSns, startSns } from '../../tools/fakes/sns/server.ts';

const { accessKeyId, secretAccessKey, region, platformApplications } = snsDefaults;
const { android } = platformApplications;
const credentials = { accessKeyId, secretAccessKey };

let local: LocalSns;
let aws: SNSClient;

beforeEach(async () => {
  local = await startSns({ ...snsDefaults, port: 0 });
  aws = new SNSClient({ endpoint: local.url, region, credentials, maxAttempts: 1 });
});

afterEach(async () => {
  aws.destroy();
  await local.close();
});

async function created(Token: string, PlatformApplicationArn: string = android): Promise<string> {
  const answer = await aws.send(new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token }));
  return answer.EndpointArn ?? '';
}

const attributesOf = async (EndpointArn: string) =>
  (await aws.send(new GetEndpointAttributesCommand({ EndpointArn }))).Attributes;

const set = (EndpointArn: string, Attributes: Record<string, string>) =>
  aws.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));

async function plant(fault: object): Promise<void> {
  const answer = await fetch(`${local.url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
  if (!answer.ok) throw new Error(await answer.text());
}

describe("AWS's own client, against the local SNS", () => {
  it('creates, reads, changes and deletes an endpoint', async () => {
    const endpoint = await created('ada');
    expect(endpoint).toMatch(
      /^arn:aws:sns:eu-central-1:000000000000:endpoint\/GCM\/fieldbell-android\/[\w-]{36}$/,
    );
    expect(await created('ada')).toBe(endpoint);
    expect(await attributesOf(endpoint)).toEqual({ Enabled: 'true', Token: 'ada' });
    await set(endpoint, { Enabled: 'false', Token: 'grace', CustomUserData: 'a<b>&"c"\r\né😴' });
    expect(await attributesOf(endpoint)).toEqual({
      Enabled: 'false',
      Token: 'grace',
      CustomUserData: 'a<b>&"c"\r\né😴',
    });
    await aws.send(new DeleteEndpointCommand({ EndpointArn: endpoint }));
    await expect(attributesOf(endpoint)).rejects.toBeInstanceOf(NotFoundException);
    await aws.send(new DeleteEndpointCommand({ EndpointArn: endpoint }));
  });

  it.each(Object.entries(platformApplications))(
    'publishes on %s what the service publishes',
    async (name, arn) => {
      const endpoint = await created('ada', arn);
      const message = {
        endpoint,
        title: 'Sleep diary',
        body: 'Guten Morgen, Zoë! 😴 <&+"%',
        data: { survey: 's', investigation: 'i', notification: 'n' },
        collapseId: 'n',
        ttlSeconds: 3600,
      };
      const payload = pushPayload(message);
      const attributes = Object.entries(payload.attributes).map(([key, StringValue]) => [
        key,
        { DataType: 'String', StringValue },
      ]);
      const { MessageId } = await aws.send(
        new PublishCommand({
          TargetArn: endpoint,
          MessageStructure: 'json',
          Message: payload.message,
          MessageAttributes: Object.fromEntries(attributes),
        }),
      );
      const relay = createSns({ region, ...credentials, endpoint: local.url, platformApplications });
      expect(await relay.send(message), name).toMatchObject({ state: 'sent' });
      const [byAws, byUs] = local.inbox.list();
      expect(byAws?.messageId).toBe(MessageId);
      expect({ ...byUs, at: '', messageId: '' }).toEqual({ ...byAws, at: '', messageId: '' });
    },
  );

  it('meets the error of each situation', async () => {
    const endpoint = await created('ada');
    const publish = (Message = '{"default":"x"}') =>
      aws.send(new PublishCommand({ TargetArn: endpoint, MessageStructure: 'json', Message }));

    await expect(publish('{"GCM":"{}"}')).rejects.toBeInstanceOf(InvalidParameterException);
    await set(endpoint, { Enabled: 'false' });
    await expect(publish()).rejects.toBeInstanceOf(EndpointDisabledException);
    await aws.send(new DeleteEndpointCommand({ EndpointArn: endpoint }));
    await expect(publish()).rejects.toBeInstanceOf(InvalidParameterException);
    await expect(created('ada', `${android}-2`)).rejects.toBeInstanceOf(NotFoundException);
    await expect(created('')).rejects.toBeInstanceOf(InvalidParameterException);
    await expect(set(endpoint, { Enabled: 'true' })).rejects.toBeInstanceOf(NotFoundException);
  });

  it.each<[string, new (...given: never[]) => SNSServiceException, number]>([
    ['AuthorizationError', AuthorizationErrorException, 403],
    ['InternalError', InternalErrorException, 500],
    ['PlatformApplicationDisabled', PlatformApplicationDisabledException, 400],
    ['Throttled', ThrottledException, 429],
    ['ServiceUnavailable', SNSServiceException, 503],
  ])('knows the planted error %s by its class and status', async (code, exception, status) => {
    await plant({ action: 'Publish', code });
    const endpoint = await created('ada');
    const error: unknown = await aws
      .send(new PublishCommand({ TargetArn: endpoint, Message: 'x' }))
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(exception);
    expect(error).toMatchObject({ $metadata: { httpStatusCode: status } });
  });

  it.each([{ accessKeyId: 'stranger' }, { secretAccessKey: 'wrong' }])(
    'is refused with %o',
    async (wrong) => {
      const stranger = new SNSClient({
        endpoint: local.url,
        region,
        credentials: { ...credentials, ...wrong },
        maxAttempts: 1,
      });
      const call = stranger.send(new GetEndpointAttributesCommand({ EndpointArn: 'arn' }));
      await expect(call).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
      stranger.destroy();
    },
  );
});
