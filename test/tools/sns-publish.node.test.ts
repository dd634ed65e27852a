import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { createSnsClient } from '../support/sns-client.ts';

const { ios, android, 'ios-sandbox': sandbox } = snsDefaults.platformApplications;
const sns = await startSns({ ...snsDefaults, port: 0 });
const call = createSnsClient(sns.url);
afterAll(() => sns.close());
beforeEach(() => sns.inbox.clear());

const fcmMessage = {
  notification: { title: 'Diary', body: 'It is time.' },
  data: { survey: 's1', notification: 'n1' },
  android: { priority: 'high', ttl: '3600s', notification: { tag: 'n1' } },
};
const apnsPayload = {
  aps: { alert: { title: 'Diary', body: 'It is time.' }, sound: 'default' },
  survey: 's1',
};

describe('an accepted push is in the inbox', () => {
  test('with what an Android phone makes of its payload', async () => {
    const arn = await register(android, 'ada');
    const before = Date.now();
    const answer = await publish(arn, message({ GCM: fcm() }), { 'AWS.SNS.MOBILE.FCM.TTL': '3600' });
    expect(answer.xml).toMatch(/^<PublishResponse xmlns="[^"]+">\n {2}<PublishResult>\n {4}<MessageId>/);
    const [push, ...more] = await inbox();
    expect(more).toEqual([]);
    expect(push).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      endpointArn: arn,
      platform: 'GCM',
      token: 'ada',
      title: 'Diary',
      body: 'It is time.',
      data: { survey: 's1', notification: 'n1' },
      attributes: { 'AWS.SNS.MOBILE.FCM.TTL': '3600' },
      messageId: answer.text('MessageId'),
    });
    expect(Date.parse(push.at)).toBeGreaterThanOrEqual(before);
  });

  test('with what an iPhone makes of it: the data are the keys beside aps', async () => {
    await publish(await register(ios, 'bea'), message({ APNS: JSON.stringify(apnsPayload), GCM: fcm() }));
    expect(await inbox()).toMatchObject([
      { platform: 'APNS', title: 'Diary', body: 'It is time.', data: { survey: 's1' } },
    ]);
  });

  test('with the sandbox payload on a sandbox phone, and a bare alert as its body', async () => {
    const arn = await register(sandbox, 'cleo');
    await publish(
      arn,
      message({ APNS: JSON.stringify(apnsPayload), APNS_SANDBOX: '{"aps":{"alert":"Hello"}}' }),
    );
    expect(await inbox()).toMatchObject([{ platform: 'APNS_SANDBOX', title: null, body: 'Hello', data: {} }]);
  });
});

describe('a push is refused', () => {
  const refused = async (answer: ReturnType<typeof call>, code: string, text: string, status = 400) => {
    const { status: actual, text: read } = await answer;
    expect([actual, read('Code'), read('Message')]).toEqual([status, code, text]);
    expect(await inbox()).toEqual([]);
  };

  test.each([
    ['is not JSON', '{', 'Message Structure - JSON message body failed to parse'],
    ['is no object', '["x"]', 'Message Structure - JSON message body must be an object'],
    ['has no default', '{"GCM":"{}"}', 'Message Structure - No default entry in JSON message body'],
    ['holds an object', '{"default":"x","GCM":{}}', 'Message Structure - the value of GCM must be a string'],
    ['is over 256 KB', message({ other: 'x'.repeat(262_144) }), 'Message too long'],
    ['is empty', '', 'Empty message'],
  ])('when the message %s', async (_, text, reason) => {
    await refused(
      publish(await register(android, 'jon'), text),
      'InvalidParameter',
      `Invalid parameter: ${reason}`,
    );
  });

  test.each([
    ['GCM', 'x', 'not JSON'],
    ['GCM', '{}', 'fcmV1Message must be an object'],
    ['GCM', '{"fcmV1Message":{}}', 'fcmV1Message.message must be an object'],
    ['GCM', fcm({ data: { count: 1 } }), 'data.count must be a string'],
    ['GCM', fcm({ notification: 'x' }), 'notification must be an object'],
    ['GCM', fcm({ android: { ttl: '3600' } }), "android.ttl must be seconds followed by 's'"],
    ['GCM', fcm({ data: { text: 'x'.repeat(4096) } }), 'Notification data is larger than allowed limit'],
    ['APNS', '{"alert":"x"}', 'aps must be an object'],
    ['APNS', '{"aps":{"alert":{"title":1}}}', 'title must be a string'],
    ['APNS', `{"aps":{},"text":"${'x'.repeat(4096)}"}`, 'Notification is too long'],
    ['APNS_SANDBOX', '[]', 'the payload must be an object'],
  ])('when its %s payload is %.40s', async (platform, payload, reason) => {
    const { status, text } = await publish(await register(android, 'kim'), message({ [platform]: payload }));
    expect([status, text('Code')]).toEqual([400, 'InvalidParameter']);
    expect(text('Message')).toContain(`Message Reason: Invalid notification for protocol ${platform}: `);
    expect(text('Message')).toContain(reason);
    expect(await inbox()).toEqual([]);
  });

  test.each([
    ['FCM.TTL', '2419201', "cannot be '2419201'"],
    ['FCM.TTL', '1h', "cannot be '1h'"],
    ['APNS.TTL', '-1', "cannot be '-1'"],
    ['APNS.PRIORITY', '7', "cannot be '7'"],
    ['APNS.PUSH_TYPE', 'loud', "cannot be 'loud'"],
    ['APNS.COLLAPSE_ID', 'ä'.repeat(33), 'cannot be'],
    ['APNS.COLLAPSEID', 'x', 'is not an attribute of SNS'],
  ])('when its attribute %s is %s', async (name, value, reason) => {
    const arn = await register(android, 'liv');
    const { status, text } = await publish(arn, message({}), { [`AWS.SNS.MOBILE.${name}`]: value });
    expect([status, text('Code')]).toEqual([400, 'InvalidParameter']);
    expect(text('Message')).toContain(reason);
  });

  test('with another structure than json, or a subject of two lines', async () => {
    const target = { TargetArn: await register(android, 'max'), Message: 'x' };
    await refused(
      call('Publish', { ...target, MessageStructure: 'xml' }),
      'InvalidParameter',
      'Invalid parameter: Invalid message structure. Must be json',
    );
    await refused(
      call('Publish', { ...target, Subject: 'a\nb' }),
      'InvalidParameter',
      'Invalid parameter: Subject',
    );
  });
});

async function register(application: string, token: string): Promise<string> {
  const { text } = await call('CreatePlatformEndpoint', {
    PlatformApplicationArn: application,
    Token: token,
  });
  return text('EndpointArn') ?? expect.unreachable('no endpoint was created');
}

function publish(arn: string, text: string, attributes: Record<string, string> = {}) {
  const params = Object.entries(attributes).flatMap(([name, value], index) => {
    const prefix = `MessageAttributes.entry.${index + 1}`;
    return [
      [`${prefix}.Name`, name],
      [`${prefix}.Value.DataType`, 'String'],
      [`${prefix}.Value.StringValue`, value],
    ];
  });
  return call('Publish', {
    TargetArn: arn,
    MessageStructure: 'json',
    Message: text,
    ...Object.fromEntries(params),
  });
}

function message(payloads: Record<string, string>): string {
  return JSON.stringify({ default: 'default text', ...payloads });
}

function fcm(changes: object = {}): string {
  return JSON.stringify({ fcmV1Message: { message: { ...fcmMessage, ...changes } } });
}

async function inbox() {
  return (await fetch(`${sns.url}/inbox`)).json();
}
