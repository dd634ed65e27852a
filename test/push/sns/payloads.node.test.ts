import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fitsPushServices,
  maxPayloadBytes,
  payloadBytes,
  pushPayload,
} from '../../../src/push/sns/payloads.ts';
import type { PushMessage } from '../../../src/services.ts';

const sleepDiary: PushMessage = {
  endpoint: endpointOf('GCM'),
  title: 'Sleep diary',
  body: 'Guten Morgen, Zoë! Wie hast du geschlafen? 😴 "1–5"',
  data: {
    survey: '019a0000000070008000000000000001',
    investigation: '019a0000000070008000000000000002',
    notification: '019a0000000070008000000000000003',
  },
  collapseId: '019a0000000070008000000000000003',
  ttlSeconds: 3600,
};

function endpointOf(service: string): string {
  return `arn:aws:sns:eu-central-1:123456789012:endpoint/${service}/fieldbell/5e3e9847-3183-3f18-a7e8-671c3a57d4b3`;
}

function publishTo(service: string, change: Partial<PushMessage> = {}) {
  const { message, attributes } = pushPayload({ ...sleepDiary, endpoint: endpointOf(service), ...change });
  const { default: text, ...services } = JSON.parse(message) as Record<string, string>;
  const decoded = Object.entries(services).map(([name, payload]) => [name, JSON.parse(payload)]);
  return { Message: { default: text, ...Object.fromEntries(decoded) }, MessageAttributes: attributes };
}

const golden = (name: string) => readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8');

describe('the payload of a push', () => {
  it.each([
    ['GCM', 'publish-gcm'],
    ['APNS', 'publish-apns'],
  ])('for %s is as in %s.json', (service, name) => {
    expect(publishTo(service)).toEqual(JSON.parse(golden(name)));
  });

  it('for the sandbox of Apple is the same, with a TTL of its own', () => {
    const sandbox = golden('publish-apns')
      .replace('"APNS"', '"APNS_SANDBOX"')
      .replace('APNS.TTL', 'APNS_SANDBOX.TTL');
    expect(publishTo('APNS_SANDBOX')).toEqual(JSON.parse(sandbox));
  });

  it('for an unknown service is the text alone', () => {
    expect(publishTo('ADM')).toEqual({ Message: { default: sleepDiary.body }, MessageAttributes: {} });
  });

  it('holds each service as JSON in a string, as SNS demands', () => {
    const { message } = pushPayload(sleepDiary);
    expect(Object.values(JSON.parse(message)).map((value) => typeof value)).toEqual(['string', 'string']);
  });

  it('leaves the thread out when the push belongs to no survey', () => {
    expect(publishTo('APNS', { data: {} }).Message).toEqual({
      default: sleepDiary.body,
      APNS: { aps: { alert: { title: sleepDiary.title, body: sleepDiary.body }, sound: 'default' } },
    });
  });

  it.each([
    [0, '1'],
    [-5, '1'],
    [0.9, '1'],
    [90.9, '90'],
    [2_419_200, '2419200'],
    [9_000_000, '2419200'],
  ])('with %d seconds left asks for a TTL of %s', (ttlSeconds, ttl) => {
    expect(publishTo('APNS', { ttlSeconds }).MessageAttributes['AWS.SNS.MOBILE.APNS.TTL']).toBe(ttl);
    const android = publishTo('GCM', { ttlSeconds });
    expect(android.MessageAttributes['AWS.SNS.MOBILE.FCM.TTL']).toBe(ttl);
    expect(android.Message.GCM.fcmV1Message.message.android.ttl).toBe(`${ttl}s`);
  });
});

describe('text that push services take', () => {
  it('is measured in bytes, not in characters', () => {
    const bytes = (body: string) => payloadBytes({ ...sleepDiary, body });
    expect(bytes('é') - bytes('')).toBe(2);
    expect(bytes('😴') - bytes('')).toBe(4);
  });

  it('is measured as escaped for JSON', () => {
    const bytes = (body: string) => payloadBytes({ ...sleepDiary, body });
    expect(bytes('"') - bytes('')).toBe(2);
    expect(bytes('\u0007') - bytes('')).toBe(6);
  });

  it('is measured with the rest of the larger payload around it', () => {
    const sizes = ['GCM', 'APNS'].map((service) => {
      const { message } = pushPayload({ ...sleepDiary, endpoint: endpointOf(service) });
      return Buffer.byteLength(JSON.parse(message)[service]);
    });
    expect(payloadBytes(sleepDiary)).toBe(Math.max(...sizes));
  });

  it('fits up to the very last byte', () => {
    const room = roomForBody();
    expect(fitsPushServices({ subject: '', body: 'a'.repeat(room) })).toBe(true);
    expect(fitsPushServices({ subject: '', body: 'a'.repeat(room + 1) })).toBe(false);
    expect(fitsPushServices({ subject: 'a', body: 'a'.repeat(room) })).toBe(false);
  });

  it('still fits when it is sent, if it fitted when it was set', () => {
    const identifier = fc.stringMatching(/^[0-9a-f]{32}$/);
    const property = fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      identifier,
      fc.integer({ min: 0, max: 86_400 }),
      (subject, body, id, ttlSeconds) => {
        fc.pre(fitsPushServices({ subject, body }));
        const data = { survey: id, investigation: id, notification: id };
        const push = { ...sleepDiary, title: subject, body, data, collapseId: id, ttlSeconds };
        expect(payloadBytes(push)).toBeLessThanOrEqual(maxPayloadBytes);
      },
    );
    fc.assert(property, { numRuns: 50 });
  });
});

/** The number of one-byte characters that fit, found by trying. */
function roomForBody(): number {
  let room = maxPayloadBytes;
  while (!fitsPushServices({ subject: '', body: 'a'.repeat(room) })) room--;
  return room;
}
