import { DeadlineError, readText, withDeadline } from '../outgoing.ts';
import type { Outcome, Push, PushMessage } from '../services.ts';
import { encrypt, isOnCurve } from './encryption.ts';
import { type Hosts, readSubscription, type Subscription, textOf } from './subscription.ts';
import { createVapid, type VapidSettings } from './vapid.ts';

export interface WebPushSettings extends VapidSettings, Hosts {
  /** Bounds one push. Default 5000. */
  timeoutMs?: number | undefined;
  fetch?: typeof fetch | undefined;
  /** The clock of the tokens, in epoch ms. */
  now?: (() => number) | undefined;
}

/** The name of the platform whose tokens are subscriptions. */
export const webPlatform = 'web';

/** A push service keeps a push for four weeks at most (Firebase). */
const maxTtlSeconds = 28 * 24 * 3600;
/** Of an answer, which nobody reads. */
const maxAnswerBytes = 4096;

/**
 * The push services of browsers (RFC 8030). A subscription has no endpoint but its own, so there is nothing to register,
 * to heal or to remove: its name here is the subscription itself.
 */
export function createWebPush({
  timeoutMs = 5000,
  fetch: send = (input, init) => fetch(input, init),
  now = () => Date.now(),
  ...settings
}: WebPushSettings): Omit<Push, 'fits'> {
  const vapid = createVapid(settings);

  async function post(
    { endpoint }: Subscription,
    message: PushMessage,
    { authorization, body }: { authorization: string; body: Uint8Array<ArrayBuffer> },
  ) {
    const headers = {
      authorization,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.min(Math.max(Math.floor(message.ttlSeconds), 1), maxTtlSeconds)),
      topic: message.collapseId,
      urgency: 'high',
    };
    const request = { method: 'POST', headers, body, redirect: 'manual' } as const;
    let answer: Response | undefined;
    const answered = (response: Response) => {
      answer = response;
      // Read whole, it leaves its connection to the next push.
      return readText(response.body, maxAnswerBytes);
    };
    try {
      await withDeadline(timeoutMs, (signal) => send(endpoint.href, { ...request, signal }).then(answered));
    } catch (error) {
      // The status is the answer, whatever becomes of the rest.
      if (!answer) throw error;
    }
    return answer as Response;
  }

  return {
    platforms: [webPlatform],
    webPushKey: vapid.publicKey,

    canonicalToken({ token }) {
      const read = readSubscription(token, settings);
      return 'expected' in read ? read : { token: textOf(read) };
    },

    async register({ token }) {
      const read = readSubscription(token, settings);
      if ('expected' in read) return { state: 'refused', error: 'InvalidSubscription' };
      return isOnCurve(read.p256dh)
        ? { state: 'registered', endpoint: token }
        : { state: 'refused', error: 'InvalidKey' };
    },
    remove: async () => ({ state: 'removed' }),
    check: async () => ({ state: 'missing' }),
    receive: async () => ({ state: 'off' }),

    async send(message) {
      const read = readSubscription(message.endpoint, settings);
      if ('expected' in read) return { state: 'failed', error: 'InvalidSubscription' };
      const { title, body: text, data } = message;
      const [authorization, body] = await Promise.all([
        vapid.authorization(read.endpoint.origin, now()).catch(() => null),
        encrypt(JSON.stringify({ title, body: text, data }), read).catch(() => null),
      ]);
      if (authorization === null) return { state: 'misconfigured', error: 'InvalidVapidKey' };
      if (body === null) return { state: 'failed', error: 'InvalidKey' };
      try {
        return outcomeOf(await post(read, message, { authorization, body }), message, now());
      } catch (error) {
        return { state: 'retry', error: error instanceof DeadlineError ? 'Timeout' : 'NetworkError' };
      }
    },
  };
}

/** RFC 8030, 5 and 7.3; 404 is FCM's and Mozilla's answer too for a subscription that has ended. */
function outcomeOf({ status, headers }: Response, { collapseId }: PushMessage, now: number): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent', messageId: idOf(headers) ?? collapseId };
  const error = `HTTP ${status}`;
  if (status === 404 || status === 410) return { state: 'gone', error };
  if (status !== 429 && status < 500) return { state: 'failed', error };
  const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? '', now);
  return { state: 'retry', error, ...(retryAfterMs > 0 && { retryAfterMs }) };
}

/**
 * The end of the URL by which the push service names the message, shortened where it is long: whoever has the whole URL
 * may delete the message.
 */
const idOf = (headers: Headers) => /([\w%:.~-]{1,40})\/?$/.exec(headers.get('location') ?? '')?.[1];

/** RFC 9110, 10.2.3: seconds, or a date. */
function readRetryAfter(value: string, now: number): number {
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : ms;
}
