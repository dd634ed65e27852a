import { withDeadline } from '../../outgoing.ts';
import type { RelayEvent, RelayMessage } from '../../services.ts';
import { parseMessage, parseObject, type SnsMessage } from './message.ts';
import { createVerifier } from './verify.ts';

export interface SnsEventSettings {
  /** ARNs of the topics that platform applications send their events to. */
  topics: readonly string[];
  /** Base URL of an SNS-compatible server, whose certificates are trusted too. */
  endpoint?: string | undefined;
  fetch: typeof fetch;
  timeoutMs: number;
}

/** SNS retries a delivery for at most 3,600 s (Amazon SNS, "Message delivery retries"). */
const maxAgeMs = 3600_000;
const maxAheadMs = 5 * 60_000;

/**
 * Failures caused by the token itself (Amazon SNS, "FCM delivery failure events", and values observed in practice).
 * Others are temporary, or caused by the message or the credentials, and must not disable a device.
 */
const undeliverableTypes = new Set(['InvalidPlatformToken', 'EndpointDisabled', 'EndpointNotFound']);

/** Reads what SNS posts to a subscribed address. Trusts, and fetches for, messages of configured topics only. */
export function createSnsEvents({ topics, endpoint, fetch: send, timeoutMs }: SnsEventSettings) {
  const verify = createVerifier({ fetch: send, timeoutMs });

  return async (body: string, now: number): Promise<RelayMessage> => {
    if (topics.length === 0) return { state: 'off' };
    const message = parseMessage(body);
    if (!message) return refuse('malformed', 'Expected a message of Amazon SNS in its JSON format, not raw.');
    if (!topics.includes(message.topic))
      return refuse('foreign', 'Expected a message of a configured topic.');
    if (message.at < now - maxAgeMs || message.at > now + maxAheadMs)
      return refuse('stale', 'Expected a Timestamp of the last hour.');

    const origins = originsOf(message.topic, endpoint);
    const authenticity = await verify(message, origins, now);
    if (authenticity === 'unknown') return { state: 'unavailable', error: 'CertificateUnavailable' };
    if (authenticity === 'forged') return refuse('forged', 'Expected a valid signature by Amazon SNS.');
    if (message.type === 'SubscriptionConfirmation') return confirm(message, origins);
    if (message.type === 'UnsubscribeConfirmation') return { state: 'nothing', what: 'unsubscribed' };
    const event = readEvent(message);
    return event ? { state: 'event', event } : { state: 'nothing', what: 'ignored' };
  };

  async function confirm({ subscribeUrl }: SnsMessage, origins: string[]): Promise<RelayMessage> {
    if (!origins.some((origin) => subscribeUrl.startsWith(`${origin}/`)))
      return refuse('forged', 'Expected a SubscribeURL of Amazon SNS.');
    const status = await withDeadline(timeoutMs, async (signal) => {
      const response = await send(subscribeUrl, { signal, redirect: 'manual' });
      response.body?.cancel().catch(() => {});
      return response.status;
    }).catch(() => 0);
    return status === 200
      ? { state: 'nothing', what: 'subscribed' }
      : { state: 'unavailable', error: `ConfirmSubscription ${status}` };
  }
}

const refuse = (why: 'malformed' | 'foreign' | 'forged' | 'stale', detail: string): RelayMessage => ({
  state: 'refused',
  why,
  detail,
});

/**
 * The host of SNS in the topic's region. A pattern for all regions would match `sns.s3.amazonaws.com`, a bucket that
 * anybody may own.
 */
function originsOf(topic: string, endpoint: string | undefined): string[] {
  const [, partition, , region] = topic.split(':');
  const domain = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  return [`https://sns.${region}.${domain}`, ...(endpoint === undefined ? [] : [new URL(endpoint).origin])];
}

/** Amazon SNS, "Application event notifications". Other messages are ignored. */
function readEvent({ id, text, at }: SnsMessage): RelayEvent | undefined {
  const content = parseObject(text);
  const endpoint = content?.EndpointArn;
  if (typeof endpoint !== 'string') return undefined;
  const happened = Date.parse(String(content?.Time));
  const event = { id, endpoint, at: Number.isNaN(happened) ? at : happened };
  switch (content?.EventType) {
    case 'DeliveryFailure':
      return undeliverableTypes.has(String(content.FailureType))
        ? { ...event, kind: 'undeliverable' }
        : undefined;
    case 'EndpointUpdated':
    case 'EndpointDeleted':
      return { ...event, kind: 'changed' };
    default:
      return undefined;
  }
}
