import { afterAll, describe, expect, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { createSnsClient } from '../support/sns-client.ts';

const { ios, android } = snsDefaults.platformApplications;
const sns = await startSns({ ...snsDefaults, port: 0 });
const call = createSnsClient(sns.url);
afterAll(() => sns.close());

describe('creating an endpoint', () => {
  test('answers in the XML of AWS', async () => {
    const { status, xml } = await create(android, 'ada');
    expect(status).toBe(200);
    expect(xml).toMatch(
      /^<CreatePlatformEndpointResponse xmlns="http:\/\/sns.amazonaws.com\/doc\/2010-03-31\/">\n {2}<CreatePlatformEndpointResult>\n {4}<EndpointArn>arn:aws:sns:eu-central-1:000000000000:endpoint\/GCM\/fieldbell-android\/[0-9a-f-]{36}<\/EndpointArn>\n {2}<\/CreatePlatformEndpointResult>\n {2}<ResponseMetadata>\n {4}<RequestId>[0-9a-f-]{36}<\/RequestId>\n {2}<\/ResponseMetadata>\n<\/CreatePlatformEndpointResponse>\n$/,
    );
  });

  test('gives the same endpoint for the same token, but another in another application', async () => {
    const first = (await create(android, 'bea')).text('EndpointArn');
    expect((await create(android, 'bea')).text('EndpointArn')).toBe(first);
    expect((await create(ios, 'bea')).text('EndpointArn')).not.toBe(first);
  });

  test('is refused, with the ARN in the message, when the token is known with other attributes', async () => {
    const arn = await created(android, 'cleo', { CustomUserData: 'first' });
    const { status, xml, text } = await create(android, 'cleo', { CustomUserData: 'second' });
    expect(status).toBe(400);
    expect(text('Type')).toBe('Sender');
    expect(text('Code')).toBe('InvalidParameter');
    expect(text('Message')).toBe(
      `Invalid parameter: Token Reason: Endpoint ${arn} already exists with the same Token, but different attributes.`,
    );
    expect(xml).toMatch(
      /^<ErrorResponse xmlns="[^"]+">\n {2}<Error>[\s\S]+<RequestId>[^<]+<\/RequestId>\n<\/ErrorResponse>\n$/,
    );
  });

  test('leaves a disabled endpoint disabled, and is refused when it asks for an enabled one', async () => {
    const arn = await created(android, 'dora');
    await setAttribute(arn, 'Enabled', 'false');
    expect(await created(android, 'dora')).toBe(arn);
    expect(await attribute(arn, 'Enabled')).toBe('false');
    const enabled = { 'Attributes.entry.1.key': 'Enabled', 'Attributes.entry.1.value': 'true' };
    expect((await create(android, 'dora', enabled)).text('Message')).toContain('different attributes');
  });

  test.each([
    [
      'an unknown application',
      { PlatformApplicationArn: `${android}-x` },
      404,
      'PlatformApplication does not exist',
    ],
    ['no ARN', { PlatformApplicationArn: 'app' }, 400, 'An ARN must have at least 6 elements, not 1'],
    [
      'an ARN with a slash too few',
      { PlatformApplicationArn: 'arn:aws:sns:r:1:app/GCM' },
      400,
      'Wrong number of slashes',
    ],
    ['an empty token', { Token: '' }, 400, 'Invalid parameter: Token Reason: cannot be empty'],
    [
      'a token over 8 KB',
      { Token: 'x'.repeat(8193) },
      400,
      'must be at most 8192 bytes long in UTF-8 encoding',
    ],
    [
      'a long iOS token',
      { PlatformApplicationArn: ios, Token: 'a'.repeat(401) },
      400,
      'no more than 400 hexadecimal',
    ],
    [
      'much user data',
      { CustomUserData: 'ä'.repeat(1025) },
      400,
      'CustomUserData Reason: must be at most 2048 bytes',
    ],
  ])('is refused with %s', async (_, params, status, message) => {
    const answer = await create(android, 'eve', params);
    expect(answer.status).toBe(status);
    expect(answer.text('Message')).toContain(message);
  });

  test('without a token is a validation error', async () => {
    const answer = await call('CreatePlatformEndpoint', { PlatformApplicationArn: android });
    expect(answer.text('Code')).toBe('ValidationError');
    expect(answer.text('Message')).toContain("Value null at 'token'");
  });
});

describe('the attributes of an endpoint', () => {
  test('can be read and set', async () => {
    const arn = await created(android, 'fay <&> "co"');
    expect(await attribute(arn, 'Token')).toBe('fay <&> "co"');
    await setAttribute(arn, 'Token', 'fay-2');
    await setAttribute(arn, 'CustomUserData', 'data');
    const { xml } = await call('GetEndpointAttributes', { EndpointArn: arn });
    expect(xml.replace(/\s*\n\s*/g, '')).toContain(
      '<Attributes><entry><key>Enabled</key><value>true</value></entry>' +
        '<entry><key>Token</key><value>fay-2</value></entry>' +
        '<entry><key>CustomUserData</key><value>data</value></entry></Attributes>',
    );
    expect(await created(android, 'fay-2')).toBe(arn);
  });

  test('cannot take the token of another endpoint', async () => {
    const arn = await created(android, 'gil');
    await created(android, 'hal');
    const answer = await setAttribute(arn, 'Token', 'hal');
    expect(answer.status).toBe(400);
    expect(answer.text('Code')).toBe('InvalidParameter');
    expect(await attribute(arn, 'Token')).toBe('gil');
  });

  test.each(['GetEndpointAttributes', 'SetEndpointAttributes'])(
    'are not found by %s once deleted',
    async (action) => {
      const arn = await created(android, 'ida');
      await call('DeleteEndpoint', { EndpointArn: arn });
      const { status, text } = await call(action, { EndpointArn: arn });
      expect([status, text('Code'), text('Message')]).toEqual([404, 'NotFound', 'Endpoint does not exist']);
    },
  );

  test.each([
    ['Enabled', 'perhaps', 'Enabled must be true or false'],
    ['Colour', 'red', 'Unknown attribute Colour'],
  ])('refuse %s = %s', async (name, value, message) => {
    const answer = await setAttribute(await created(android, 'jon'), name, value);
    expect(answer.text('Message')).toContain(message);
  });

  test('want a well-formed ARN', async () => {
    const { text } = await call('GetEndpointAttributes', {
      EndpointArn: `${await created(android, 'kim')}x`,
    });
    expect(text('Message')).toContain('UUID must be encoded in exactly 36 characters.');
  });
});

test('deleting an endpoint twice succeeds twice, and its token is free again', async () => {
  const arn = await created(android, 'liv');
  for (const _ of [1, 2]) {
    const { status, xml } = await call('DeleteEndpoint', { EndpointArn: arn });
    expect(status).toBe(200);
    expect(xml).not.toContain('Result');
  }
  expect(await created(android, 'liv')).not.toBe(arn);
});

describe('platform applications', () => {
  test('are created, and can be created again', async () => {
    const created = () => call('CreatePlatformApplication', { Name: 'mine', Platform: 'GCM' });
    const arn = (await created()).text('PlatformApplicationArn');
    expect(arn).toBe('arn:aws:sns:eu-central-1:000000000000:app/GCM/mine');
    expect((await created()).text('PlatformApplicationArn')).toBe(arn);
  });

  test('refuse names and platforms that AWS does not have', async () => {
    expect((await call('CreatePlatformApplication', { Name: 'a b', Platform: 'GCM' })).status).toBe(400);
    expect((await call('CreatePlatformApplication', { Name: 'ab', Platform: 'PIGEON' })).status).toBe(400);
  });
});

test('an unknown action, a missing one and an unknown version are told apart', async () => {
  expect((await call('Subscribe')).text('Message')).toBe(
    'Could not find operation Subscribe for version 2010-03-31',
  );
  expect((await call('Publish', { Version: '1999-01-01' })).text('Code')).toBe('InvalidAction');
  expect((await call('')).text('Code')).toBe('MissingAction');
});

function create(application: string, token: string, more: Record<string, string> = {}) {
  return call('CreatePlatformEndpoint', { PlatformApplicationArn: application, Token: token, ...more });
}

async function created(...args: Parameters<typeof create>): Promise<string> {
  return (await create(...args)).text('EndpointArn') ?? expect.unreachable('no endpoint was created');
}

function setAttribute(arn: string, name: string, value: string) {
  return call('SetEndpointAttributes', {
    EndpointArn: arn,
    'Attributes.entry.1.key': name,
    'Attributes.entry.1.value': value,
  });
}

async function attribute(arn: string, name: string): Promise<string | undefined> {
  const { xml } = await call('GetEndpointAttributes', { EndpointArn: arn });
  const [, value] = new RegExp(`<key>${name}</key>\\s*<value>([^<]*)</value>`).exec(xml) ?? [];
  return value
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
