import { DeadlineError, readText, withDeadline } from '../../outgoing.ts';
import type { PushMessage, PushService } from '../../services.ts';
import { type Encrypt, encrypt, isOnCurve } from './encryption.ts';
import { outcomeOf, type PushAnswer } from './outcomes.ts';
import { payloadOf } from './payload.ts';
import { type Hosts, readSubscription, type Subscription, textOf } from './subscription.ts';
import { createVapid, type VapidSettings } from './vapid.ts';

export interface WebPushSettings extends VapidSettings, Hosts {
  /** Bounds one push. Default 5000. */
  timeoutMs?: number | undefined;
  fetch?: typeof fetch | undefined;
  /** Default: with `fetch`. */
  post?: WebPost | undefined;
  /** Default: with WebCrypto. */
  encrypt?: Encrypt | undefined;
  /** The origin of the participant's page, which a tap opens. */
  origin?: string | undefined;
  /** The clock of the tokens, in epoch ms. */
  now?: (() => number) | undefined;
}

/** The name of the platform whose tokens are subscriptions. */
export const webPlatform = 'web';

/** A push service keeps a push for four weeks at most (Firebase). */
const maxTtlSeconds = 28 * 24 * 3600;
/** The refusal of a subscription that a page keeps of an earlier key. */
const expectedKey =
  'Expected a subscription that was made for the key of `GET /push/key`: unsubscribe, and subscribe again.';
/** The most of an answer that is read, for its reason. */
export const maxAnswerBytes = 4096;

/**
 * Posts once, and follows no redirect. Tells the status as soon as it is there, and resolves with the beginning of the text.
 * Rejects without an answer, and when the signal aborts.
 */
export type WebPost = (
  url: URL,
  request: { headers: Record<string, string>; body: Uint8Array<ArrayBuffer>; signal: AbortSignal },
  onStatus: (status: number, headers: PushAnswer['headers']) => void,
) => Promise<string>;

const byFetch =
  (send: typeof fetch): WebPost =>
  async (url, request, onStatus) => {
    const { status, headers, body } = await send(url.href, {
      method: 'POST',
      redirect: 'manual',
      ...request,
    });
    onStatus(status, headers);
    // Read whole, it leaves its connection to the next push.
    return readText(body, maxAnswerBytes);
  };

/**
 * The push services of browsers (RFC 8030). A subscription has no endpoint but its own, so there is nothing to heal or to
 * remove: its name here is the subscription itself, with the beginning of the key that it was made for. That key is the
 * service's when the subscription is first registered, and stays: a browser makes a subscription for one key.
 */
export function createWebPush({
  timeoutMs = 5000,
  fetch: send = (input, init) => fetch(input, init),
  post: postOnce = byFetch(send),
  encrypt: seal = encrypt,
  now = () => Date.now(),
  origin,
  ...settings
}: WebPushSettings): Omit<PushService, 'fits'> {
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
    let answer = undefined as PushAnswer | undefined;
    const onStatus: Parameters<WebPost>[2] = (status, headers) => {
      answer = { status, headers, text: '' };
    };
    try {
      const text = await withDeadline(timeoutMs, (signal) =>
        postOnce(endpoint, { headers, body, signal }, onStatus),
      );
      if (answer) answer = { ...answer, text };
    } catch (error) {
      // The status is the answer, whatever becomes of the rest.
      if (!answer) throw error;
    }
    return answer as PushAnswer;
  }

  /** The beginning of the service's key, which tells keys apart. Null if it is none. */
  const keyStart = () =>
    vapid.publicKey().then(
      (key) => key.slice(0, 16),
      () => null,
    );

  return {
    platforms: [webPlatform],
    webPushKey: vapid.publicKey,

    canonicalToken({ token }) {
      const read = readSubscription(token, settings);
      return 'expected' in read ? read : { token: textOf(read) };
    },

    async register({ token, endpoint }) {
      const read = readSubscription(token, settings);
      if ('expected' in read) return { state: 'refused', error: 'InvalidSubscription' };
      if (!isOnCurve(read.p256dh)) return { state: 'refused', error: 'InvalidKey' };
      const key = await keyStart();
      if (key === null) return { state: 'unavailable', error: 'InvalidVapidKey', misconfigured: true };
      const known = readSubscription(endpoint ?? '', settings);
      const isSame = 'endpoint' in known && known.endpoint.href === read.endpoint.href;
      const madeFor = (isSame && known.madeFor) || key;
      if (madeFor !== key) return { state: 'refused', error: 'OtherVapidKey', expected: expectedKey };
      return { state: 'registered', endpoint: textOf(read, madeFor) };
    },
    serviceOf(endpoint) {
      const read = readSubscription(endpoint, settings);
      return 'expected' in read ? undefined : read.service;
    },
    remove: async () => ({ state: 'removed' }),
    check: async () => ({ state: 'missing' }),
    receive: async () => ({ state: 'off' }),

    async send(message) {
      const read = readSubscription(message.endpoint, settings);
      if ('expected' in read) return { state: 'failed', error: 'InvalidSubscription' };
      const [authorization, body] = await Promise.all([
        vapid.authorization(read.endpoint.origin, now()).catch(() => null),
        seal(payloadOf(message, origin), read).catch(() => null),
      ]);
      if (authorization === null) return { state: 'misconfigured', error: 'InvalidVapidKey' };
      if (body === null) return { state: 'failed', error: 'InvalidKey' };
      try {
        const answer = await post(read, message, { authorization, body });
        const isForOtherKey = read.madeFor !== undefined && read.madeFor !== (await keyStart());
        const { collapseId } = message;
        return outcomeOf(answer, { collapseId, isForOtherKey, now: now() });
      } catch (error) {
        return { state: 'retry', error: error instanceof DeadlineError ? 'Timeout' : 'NetworkError' };
      }
    },
  };
}
