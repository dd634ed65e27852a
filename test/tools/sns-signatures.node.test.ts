import { AwsClient } from 'aws4fetch';
import { afterAll, describe, expect, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { createSnsClient } from '../support/sns-client.ts';

const { accessKeyId, secretAccessKey, region } = snsDefaults;
const formType = 'application/x-www-form-urlencoded';
const formBody = new URLSearchParams({
  Action: 'CreatePlatformEndpoint',
  Version: '2010-03-31',
  PlatformApplicationArn: snsDefaults.platformApplications.android,
  Token: "ada's phone (blue)*",
}).toString();
const sns = await startSns({ ...snsDefaults, port: 0 });
afterAll(() => sns.close());

describe('a call is accepted', () => {
  test('with a good signature', async () => {
    expect((await send(await sign())).status).toBe(200);
  });

  test('with a session token, and with headers of its own that it signs', async () => {
    const signed = await sign({ sessionToken: 'temporary' }, { headers: { 'X-Amz-Meta': ' two   spaces ' } });
    expect(signed.headers.get('authorization')).toContain('host;x-amz-date;x-amz-meta;x-amz-security-token');
    expect((await send(signed)).status).toBe(200);
  });

  test.each([-14, 14])('when its clock is %i minutes off', async (minutes) => {
    expect((await send(await sign({}, { aws: { datetime: amzDate(minutes) } }))).status).toBe(200);
  });
});

describe('a call is refused', () => {
  const refused = async (request: Request | Promise<Request>, status: number, code: string) => {
    const answer = await send(await request);
    const xml = await answer.text();
    expect([answer.status, /<Code>(.*)<\/Code>/.exec(xml)?.[1]]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toBe('text/xml');
    expect(xml).toContain('<Type>Sender</Type>');
    expect(await (await fetch(`${sns.url}/phones`)).json()).toHaveLength(1);
  };

  test('without a signature', async () => {
    const headers = { 'content-type': formType };
    await refused(
      new Request(sns.url, { method: 'POST', headers, body: formBody }),
      403,
      'MissingAuthenticationToken',
    );
  });

  test('with one byte of its body changed', async () => {
    await refused(
      resend(await sign(), { body: formBody.replace('blue', 'blua') }),
      403,
      'SignatureDoesNotMatch',
    );
  });

  test('with a header of AWS that is not signed', async () => {
    await refused(
      resend(await sign(), { headers: { 'x-amz-security-token': 'x' } }),
      403,
      'SignatureDoesNotMatch',
    );
  });

  test.each([
    ['region', { region: 'us-east-1' }],
    ['service', { service: 'sqs' }],
  ])('when it is signed for another %s', async (_, options) => {
    await refused(sign(options), 403, 'SignatureDoesNotMatch');
  });

  test.each([-16, 16])('when its clock is %i minutes off', async (minutes) => {
    await refused(sign({}, { aws: { datetime: amzDate(minutes) } }), 400, 'RequestExpired');
  });
});

test('a body over a megabyte is refused', async () => {
  const { status } = await createSnsClient(sns.url)('Publish', { Message: 'x'.repeat(1_048_577) });
  expect(status).toBe(413);
});

type ClientOptions = Partial<ConstructorParameters<typeof AwsClient>[0]>;
interface SignOptions {
  url?: string;
  headers?: Record<string, string>;
  aws?: { datetime: string };
}

function sign(
  options: ClientOptions = {},
  { url = sns.url, headers = {}, aws = undefined as SignOptions['aws'] }: SignOptions = {},
) {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 'sns',
    retries: 0,
    ...options,
  });
  return client.sign(url, {
    method: 'POST',
    body: formBody,
    headers: { 'Content-Type': formType, ...headers },
    ...(aws && { aws }),
  });
}

/** The signed request with something changed afterwards. */
function resend(
  signed: Request,
  changes: { url?: string; body?: string; headers?: Record<string, string> },
): Request {
  const headers = new Headers(signed.headers);
  for (const [name, value] of Object.entries(changes.headers ?? {})) headers.set(name, value);
  return new Request(changes.url ?? signed.url, { method: 'POST', headers, body: changes.body ?? formBody });
}

function send(request: Request): Promise<Response> {
  return fetch(request);
}

function amzDate(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
