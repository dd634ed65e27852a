import { AwsV4Signer } from 'aws4fetch';
import { readRefusal, SnsFault } from './sns-fault.ts';
import { elementText } from './sns-xml.ts';

export interface SnsConnection {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Base URL of an SNS-compatible server. Default: `https://sns.<region>.amazonaws.com/`. */
  endpoint?: string | undefined;
  fetch?: typeof fetch | undefined;
}

/** Calls an action once and resolves with its XML answer; rejects with an `SnsFault` and nothing else. */
export type SnsQuery = (
  action: string,
  parameters: Record<string, string>,
  deadline: AbortSignal,
) => Promise<string>;

/**
 * Speaks SNS's query protocol (Amazon SNS API, "Making requests": a signed form, answered in XML). Never retries: a
 * publish that timed out may have been accepted, so whether to repeat it is for the caller to say. Throws a TypeError
 * at once when the endpoint is not a URL.
 */
export function createSnsQuery({ region, accessKeyId, secretAccessKey, ...rest }: SnsConnection): SnsQuery {
  const url = new URL(rest.endpoint ?? `https://sns.${region}.amazonaws.com/`).href;
  const send: typeof fetch = rest.fetch ?? ((input, init) => fetch(input, init));
  const identity = {
    service: 'sns',
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: rest.sessionToken ?? '',
    // Shared by all calls: deriving a day's signing key takes four of the five HMACs of a signature.
    cache: new Map<string, ArrayBuffer>(),
  };

  async function post(body: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const { headers } = await new AwsV4Signer({
      ...identity,
      method: 'POST',
      url,
      headers: form,
      body,
    }).sign();
    // A signature holds for one host, so a redirect is not followed but reported.
    const response = await send(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  }

  return async (action, parameters, deadline) => {
    const body = new URLSearchParams({ Action: action, Version: '2010-03-31', ...parameters }).toString();
    const { status, text } = await post(body, deadline).catch((error: unknown) => {
      throw deadline.aborted ? new SnsFault(0, 'Timeout') : new SnsFault(0, 'NetworkError', reasonOf(error));
    });
    if (status < 200 || status > 299) throw readRefusal(status, text);
    if (!text.includes(`</${action}Response>`)) throw new SnsFault(0, 'UnreadableAnswer');
    return text;
  };
}

/** Text of an element that a complete answer has; throws an `SnsFault` when it is missing. */
export function expectText(xml: string, name: string): string {
  const text = elementText(xml, name);
  if (text === undefined || text === '') throw new SnsFault(0, 'UnreadableAnswer');
  return text;
}

/**
 * Runs `work` with a signal that aborts after `milliseconds`. Unlike that of `AbortSignal.timeout`, the timer ends with
 * the work: a pending one would keep a Durable Object awake, and paid for, long after its push is out.
 */
export async function withDeadline<T>(
  milliseconds: number,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Node says only "fetch failed" and keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
