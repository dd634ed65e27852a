import type { PushMessage } from '../../services.ts';

/**
 * The limit of APNs and FCM for one notification (Apple, "Generating a remote notification"; Firebase, "Message
 * types"). Here it bounds the whole JSON given to SNS for one service, which overestimates FCM's part.
 */
export const maxPayloadBytes = 4096;

/** FCM keeps a message for at most 4 weeks (Firebase, "AndroidConfig"), which is also SNS's default. */
const maxTtlSeconds = 28 * 24 * 60 * 60;

/** The parameters of a Publish: `message` is JSON for `MessageStructure=json`, `attributes` are of type String. */
export interface PushPayload {
  message: string;
  attributes: Record<string, string>;
}

/**
 * Formats a push for the service that the endpoint's ARN names (`...:endpoint/GCM/<application>/<id>`). An unknown
 * service gets the plain text only.
 *
 * Each service's part is JSON in a string (Amazon SNS, "Publishing with platform-specific payloads" and "Using FCM v1
 * payloads"). A TTL attribute wins over the one in the payload (Amazon SNS, "Using the TTL message attribute").
 */
export function pushPayload(message: PushMessage): PushPayload {
  const service = /:endpoint\/([^/]+)\//.exec(message.endpoint)?.[1];
  switch (service) {
    case 'GCM':
      return compose(message, { GCM: fcm(message) }, { 'AWS.SNS.MOBILE.FCM.TTL': ttlOf(message) });
    case 'APNS':
    case 'APNS_SANDBOX':
      return compose(message, { [service]: apns(message) }, apnsAttributes(service, message));
    default:
      return compose(message, {}, {});
  }
}

/** Bytes of UTF-8 of the larger of the two services' payloads, whatever the endpoint's service. */
export function payloadBytes(message: PushMessage): number {
  const encoder = new TextEncoder();
  return Math.max(...[fcm(message), apns(message)].map((payload) => encoder.encode(payload).length));
}

/**
 * Whether every service accepts a reminder's text. Counts bytes after JSON escaping, with identifiers of 32 hexadecimal
 * digits and the longest TTL, so that text which fits when it is set fits when it is sent.
 */
export function fitsPushServices(notification: { subject: string; body: string }): boolean {
  const identifier = 'f'.repeat(32);
  const message = {
    endpoint: '',
    title: notification.subject,
    body: notification.body,
    data: { survey: identifier, investigation: identifier, notification: identifier },
    collapseId: identifier,
    ttlSeconds: maxTtlSeconds,
  };
  return payloadBytes(message) <= maxPayloadBytes;
}

function compose(
  message: PushMessage,
  services: Record<string, string>,
  attributes: Record<string, string>,
): PushPayload {
  return { message: JSON.stringify({ default: message.body, ...services }), attributes };
}

/**
 * Firebase, "projects.messages". The tag replaces a push that the phone shows. There is no collapse key: of messages with
 * one, FCM keeps four for a phone that is offline ("Non-collapsible and collapsible messages"), and drops the others.
 */
function fcm({ title, body, data, collapseId, ...message }: PushMessage): string {
  const android = {
    priority: 'high',
    ttl: `${ttlOf(message)}s`,
    notification: { tag: collapseId },
  };
  return JSON.stringify({ fcmV1Message: { message: { notification: { title, body }, data, android } } });
}

/**
 * Apple, "Generating a remote notification". The thread groups a survey's reminders on the phone. Without `category` iOS
 * shows no actions, and without `mutable-content` the app's notification service extension does not run.
 */
function apns({ title, body, data }: PushMessage): string {
  const ofReminder = data.notification === undefined ? {} : { category: 'reminder', 'mutable-content': 1 };
  const aps = { alert: { title, body }, sound: 'default', 'thread-id': data.survey, ...ofReminder };
  return JSON.stringify({ aps, ...data });
}

/** Amazon SNS, "Reserved message attributes for mobile push": only the TTL has a separate name for the sandbox. */
function apnsAttributes(service: 'APNS' | 'APNS_SANDBOX', message: PushMessage): Record<string, string> {
  return {
    [`AWS.SNS.MOBILE.${service}.TTL`]: ttlOf(message),
    'AWS.SNS.MOBILE.APNS.PRIORITY': '10',
    'AWS.SNS.MOBILE.APNS.PUSH_TYPE': 'alert',
    'AWS.SNS.MOBILE.APNS.COLLAPSE_ID': message.collapseId,
  };
}

/** Never 0, which makes both services drop the push when the phone is not connected. */
function ttlOf({ ttlSeconds }: Pick<PushMessage, 'ttlSeconds'>): string {
  return String(Math.min(Math.max(Math.floor(ttlSeconds), 1), maxTtlSeconds));
}
