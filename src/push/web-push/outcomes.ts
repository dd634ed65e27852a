import { isPassing } from '../../retry.ts';
import type { Outcome } from '../../services.ts';

/** The answer of a push service. */
export interface PushAnswer {
  status: number;
  headers: Pick<Headers, 'get'>;
  /** The beginning of the body. */
  text: string;
}

/** Facts about the push. */
export interface Answered {
  collapseId: string;
  /** The subscription was made for another key than the service's. */
  isForOtherKey: boolean;
  /** Epoch ms. */
  now: number;
}

/** Reasons of Apple, whose status says less: the deployment's key or subject, not the browser. */
const refusedSender = new Set(['BadJwtToken', 'VapidPkHashMismatch']);

/**
 * The outcome of a push: RFC 8030, 5 and 7.3; Apple, "Sending web push notifications"; Microsoft, "Push notification service
 * request and response headers". A refusal of the sender ends a subscription only if it was made for another key, since no
 * other push of the service will ever reach it; any other is repaired by the operator.
 */
export function outcomeOf({ status, headers, text }: PushAnswer, push: Answered): Outcome {
  if (status >= 200 && status < 300) return accepted(headers, push.collapseId);
  const reason = /"reason"\s*:\s*"(\w{1,40})"/.exec(text)?.[1];
  const error = `HTTP ${status}${reason !== undefined && refusedSender.has(reason) ? ` ${reason}` : ''}`;
  if (status === 404 || status === 410) return { state: 'gone', error };
  if (isPassing(status)) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? '', push.now);
    return { state: 'retry', error, ...(retryAfterMs > 0 && { retryAfterMs }) };
  }
  if (status === 401 || status === 403 || (status === 400 && refusedSender.has(reason ?? '')))
    return push.isForOtherKey
      ? { state: 'gone', error: `${error}: OtherVapidKey` }
      : { state: 'misconfigured', error };
  return { state: 'failed', error };
}

/** The push service of Windows takes a push with a 201 and says in a header that it dropped it. */
function accepted(headers: PushAnswer['headers'], collapseId: string): Outcome {
  const fate = `${headers.get('x-wns-status')} ${headers.get('x-wns-notificationstatus')}`;
  if (/throttled/i.test(fate)) return { state: 'retry', error: 'WnsThrottled' };
  if (/dropped/i.test(fate)) return { state: 'failed', error: 'WnsDropped' };
  return { state: 'sent', messageId: idOf(headers) ?? collapseId };
}

/**
 * The end of the URL by which the push service names the message, shortened where it is long: whoever has the whole URL
 * may delete the message.
 */
const idOf = (headers: PushAnswer['headers']) =>
  /([\w%:.~-]{1,40})\/?$/.exec(headers.get('location') ?? '')?.[1];

/** RFC 9110, 10.2.3: seconds, however many, or a date. */
function readRetryAfter(value: string, now: number): number {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : ms;
}
