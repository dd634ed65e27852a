import { X509Certificate } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { createSns, type SnsSettings } from '../../../src/push/sns/push.ts';
import { createSigner, type Signer } from '../../support/sns-signer.ts';

const topic = 'arn:aws:sns:eu-central-1:123456789012:fieldbell-events';
const endpointArn =
  'arn:aws:sns:eu-central-1:123456789012:endpoint/GCM/fieldbell/5e3e9847-3183-3f18-a7e8-671c3a57d4b3';
const file = 'SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem';
const now = Date.parse('2027-03-01T08:00:00.000Z');

let signer: Signer;
let asked: string[];

beforeAll(async () => {
  signer = await createSigner();
});

beforeEach(() => {
  asked = [];
});

function receive(message: object, settings: Partial<SnsSettings> = {}) {
  const sns = createSns({
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    platformApplications: {},
    eventTopics: [topic],
    fetch: async (url) => {
      asked.push(String(url));
      return new Response(signer.pem);
    },
    ...settings,
  });
  return sns.receive(JSON.stringify(message), now);
}

async function notification(
  change: { TopicArn?: string; SignatureVersion?: '1' | '2'; SigningCertURL?: string; event?: object } = {},
) {
  const { SignatureVersion = '2', event = {}, TopicArn = topic, SigningCertURL } = change;
  const signed = {
    Message: JSON.stringify({ EventType: 'EndpointUpdated', EndpointArn: endpointArn, ...event }),
    MessageId: '4d4dc071-ddbf-465d-bba8-08f81c89da64',
    Timestamp: '2027-03-01T07:59:59.000Z',
    TopicArn,
    Type: 'Notification',
  };
  const text = Object.entries(signed)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('');
  return {
    ...signed,
    SignatureVersion,
    Signature: await signer.sign(text, SignatureVersion),
    SigningCertURL: SigningCertURL ?? `https://sns.eu-central-1.amazonaws.com/${file}`,
  };
}

const updated = {
  state: 'event',
  event: {
    id: '4d4dc071-ddbf-465d-bba8-08f81c89da64',
    kind: 'changed',
    endpoint: endpointArn,
    at: Date.parse('2027-03-01T07:59:59.000Z'),
  },
};
const forged = { state: 'refused', why: 'forged' };

describe('a message of SNS', () => {
  it.each([
    ['aws-cn', 'cn-north-1', 'https://sns.cn-north-1.amazonaws.com.cn'],
    ['aws-us-gov', 'us-gov-west-1', 'https://sns.us-gov-west-1.amazonaws.com'],
  ])('of %s has its certificate at the host of its region', async (partition, region, host) => {
    const TopicArn = `arn:${partition}:sns:${region}:123456789012:events`;
    const settings = { eventTopics: [TopicArn] };
    const there = await notification({ TopicArn, SigningCertURL: `${host}/${file}` });
    expect(await receive(there, settings)).toEqual(updated);
    expect(asked).toEqual([`${host}/${file}`]);
    const elsewhere = await notification({ TopicArn });
    expect(await receive(elsewhere, settings)).toMatchObject(forged);
    expect(asked).toHaveLength(1);
  });

  it('of another SNS-compatible server is signed by that server, when it is the configured one', async () => {
    const message = await notification({ SigningCertURL: `http://127.0.0.1:4575/${file}` });
    expect(await receive(message)).toMatchObject(forged);
    expect(await receive(message, { endpoint: 'http://127.0.0.1:4576/' })).toMatchObject(forged);
    expect(asked).toEqual([]);
    expect(await receive(message, { endpoint: 'http://127.0.0.1:4575/' })).toEqual(updated);
  });

  it('waits no longer for a certificate than for an answer of SNS', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const message = await notification();
    expect(await receive(message, { fetch: silent, timeoutMs: 50 })).toEqual({
      state: 'unavailable',
      error: 'CertificateUnavailable',
    });
  });
});

describe('the certificate that the local SNS and the tests make', () => {
  it('is one that others can read', () => {
    const certificate = new X509Certificate(signer.pem);
    expect(certificate.subject).toBe('CN=sns.local');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });
});

describe('the setting SNS_EVENT_TOPICS', () => {
  const topicsOf = (SNS_EVENT_TOPICS?: string) =>
    readConfig({
      AUTH_ISSUER: 'https://login.example.org/',
      AUTH_AUDIENCE: 'fieldbell',
      FIELDBELL_LOCAL: 'true',
      AUTH_SECRET: 'a-secret-of-at-least-32-bytes-for-tests',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      SNS_PLATFORM_APPLICATIONS: '{}',
      ...(SNS_EVENT_TOPICS !== undefined && { SNS_EVENT_TOPICS }),
    }).relay?.eventTopics;

  it('is a JSON list, or ARNs with commas between them, or absent', () => {
    expect(topicsOf(`["${topic}","${topic}-2"]`)).toEqual([topic, `${topic}-2`]);
    expect(topicsOf(`${topic}, ${topic}-2`)).toEqual([topic, `${topic}-2`]);
    expect(topicsOf(topic)).toEqual([topic]);
    expect(topicsOf('[]')).toEqual([]);
    expect(topicsOf('')).toEqual([]);
    expect(topicsOf()).toEqual([]);
  });

  it.each(['[', '[7]', '{}', 'events', `${topic},`, `${topic}.fifo`, endpointArn, `${topic}:subscription`])(
    'is named when it cannot be read: %s',
    (text) => {
      expect(() => topicsOf(text)).toThrow(ConfigError);
      expect(() => topicsOf(text)).toThrow(/^SNS_EVENT_TOPICS /);
    },
  );
});
