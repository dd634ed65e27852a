import { invalidParameter } from './errors.ts';

/** What a phone makes of a push. */
export interface Payload {
  title: string | null;
  body: string | null;
  data: Record<string, unknown>;
  /** The Android tag. Apple's collapse id travels beside the payload, as a message attribute. */
  tag: string | null;
}

type Json = Record<string, unknown>;

const MAX_PAYLOAD_BYTES = 4096;
const READERS = new Map<string, (payload: Json, platform: string) => Payload>([
  ['GCM', readFcm],
  ['APNS', readApns],
  ['APNS_SANDBOX', readApns],
]);

/** Reads the payload of a platform; one that Google or Apple would refuse is `InvalidParameter` already here. */
export function readPayload(platform: string, text: string): Payload {
  const reader = READERS.get(platform);
  if (!reader) return { title: null, body: text, data: {}, tag: null };
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    throw malformed(
      platform,
      platform === 'GCM' ? 'Notification data is larger than allowed limit' : 'Notification is too long',
    );
  }
  return reader(parseObject(platform, text), platform);
}

function parseObject(platform: string, text: string): Json {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw malformed(platform, 'Notification is malformed: not JSON');
  }
  return objectAt(platform, 'the payload', payload);
}

function readFcm(payload: Json, platform: string): Payload {
  if (payload.fcmV1Message === undefined) return readLegacyGcm(payload, platform);
  const envelope = objectAt(platform, 'fcmV1Message', payload.fcmV1Message);
  const message = objectAt(platform, 'fcmV1Message.message', envelope.message);
  const android = objectAt(platform, 'android', message.android ?? {});
  const androidNotification = objectAt(platform, 'android.notification', android.notification ?? {});
  const data = objectAt(platform, 'data', message.data ?? {});
  for (const [key, value] of Object.entries(data)) stringAt(platform, `data.${key}`, value);
  const ttl = stringAt(platform, 'android.ttl', android.ttl);
  if (ttl !== null && !/^\d+(\.\d{1,9})?s$/.test(ttl)) {
    throw malformed(platform, "android.ttl must be seconds followed by 's', such as '3600s'");
  }
  const notification = objectAt(platform, 'notification', message.notification ?? {});
  const tag = stringAt(platform, 'android.notification.tag', androidNotification.tag);
  return { ...textsAt(platform, notification), data, tag };
}

/** The form before FCM v1, which SNS still takes. Its data may hold any value. */
function readLegacyGcm(payload: Json, platform: string): Payload {
  if (payload.notification === undefined && payload.data === undefined) {
    throw malformed(platform, 'fcmV1Message, notification or data is needed');
  }
  const notification = objectAt(platform, 'notification', payload.notification ?? {});
  const data = objectAt(platform, 'data', payload.data ?? {});
  return {
    ...textsAt(platform, notification),
    data,
    tag: stringAt(platform, 'notification.tag', notification.tag),
  };
}

function readApns({ aps, ...data }: Json, platform: string): Payload {
  const { alert = {} } = objectAt(platform, 'aps', aps);
  if (typeof alert === 'string') return { title: null, body: alert, data, tag: null };
  return { ...textsAt(platform, objectAt(platform, 'aps.alert', alert)), data, tag: null };
}

function textsAt(platform: string, { title, body }: Json): Pick<Payload, 'title' | 'body'> {
  return { title: stringAt(platform, 'title', title), body: stringAt(platform, 'body', body) };
}

function objectAt(platform: string, where: string, value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw malformed(platform, `Notification is malformed: ${where} must be an object`);
}

function stringAt(platform: string, where: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return value;
  throw malformed(platform, `Notification is malformed: ${where} must be a string`);
}

function malformed(platform: string, reason: string): Error {
  return invalidParameter(`Message Reason: Invalid notification for protocol ${platform}: ${reason}`);
}
