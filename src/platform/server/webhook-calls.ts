import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { WebhookAnswer, WebhookRequest } from '../../services.ts';
import { faultOfUrl, isClosedAddress, unreachable } from '../../webhooks/addresses.ts';
import { createResolveName, type ResolveName } from './resolve-name.ts';

/** The time of a whole call: look-up, connection, and all of the answer that is read. */
const patienceMs = 10_000;
const maxAnswerBytes = 64 * 1024;

/** Most answers 1xx before the answer; `100 Continue` and `103 Early Hints` are usual, once each. */
const maxInterim = 8;

type Answered = Exclude<WebhookAnswer, { status: null }>;

export interface WebhookCallOptions {
  /** http to the loopback address is allowed. */
  local: boolean;
  resolve?: ResolveName;
  isClosed?: typeof isClosedAddress;
  timeoutMs?: number;
}

/** Calls receivers by Node's own client, on Node and Deno. */
export function createWebhookCalls({
  local,
  resolve = createResolveName(),
  isClosed = isClosedAddress,
  timeoutMs = patienceMs,
}: WebhookCallOptions) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 4, timeout: 60_000 });
  return async (request: WebhookRequest): Promise<WebhookAnswer> => {
    const fault = faultOfUrl(request.url, local);
    if (fault !== null) return { status: null, error: fault };
    const ended = new AbortController();
    const lookup = openLookup((host) => resolve(host, ended.signal), isClosed);
    const answer = await answerOf(start(request, { agent, lookup }), timeoutMs);
    ended.abort();
    return answer ?? { status: null, error: unreachable };
  };
}

/** Looks up names for a socket, which then connects to an address that was checked, whatever the name says later. */
const openLookup =
  (resolve: (host: string) => Promise<string[]>, isClosed: typeof isClosedAddress): LookupFunction =>
  (host, options, done) => {
    const family = (address: string) => (isIPv6(address) ? 6 : 4);
    const check = (addresses: string[]) => {
      const [first = ''] = addresses;
      if (addresses.some(isClosed)) done(new Error('the name leads inside'), []);
      else if (options.all)
        done(
          null,
          addresses.map((address) => ({ address, family: family(address) })),
        );
      else done(null, first, family(first));
    };
    resolve(host).then(check, (error: Error) => done(error, []));
  };

function start({ url, headers, body }: WebhookRequest, tls: https.RequestOptions): ClientRequest {
  const options = { method: 'POST', headers };
  // Only a loopback address in local mode is called without TLS.
  const isSecure = new URL(url).protocol === 'https:';
  const sent = isSecure
    ? https.request(url, { ...options, ...tls })
    : http.request(url, { ...options, agent: false });
  sent.end(body);
  return sent;
}

/**
 * The head of the answer, once it was read as far as it is; null without one. By a timer of its own, since a client does
 * not tell of everything that a receiver may do.
 */
function answerOf(sent: ClientRequest, timeoutMs: number): Promise<Answered | null> {
  const { promise, resolve } = Promise.withResolvers<Answered | null>();
  let head: Answered | null = null;
  const note = ({ statusCode, headers: { location } }: IncomingMessage) => {
    if (statusCode !== undefined) head = { status: statusCode, ...(location !== undefined && { location }) };
  };
  const finish = () => {
    clearTimeout(timer);
    resolve(head);
  };
  const cut = () => {
    finish();
    sent.destroy();
  };
  const timer = setTimeout(cut, timeoutMs);
  let interim = 0;
  sent.on('information', () => {
    interim += 1;
    if (interim > maxInterim) cut();
  });
  // Without a listener a 101 would be no event at all.
  sent.on('upgrade', (answer) => {
    note(answer);
    cut();
  });
  sent.on('response', (answer) => {
    note(answer);
    let bytes = 0;
    // Read for the sake of the connection, which the next call uses.
    answer.on('data', (part: Uint8Array) => {
      bytes += part.length;
      if (bytes > maxAnswerBytes) cut();
    });
    answer.on('end', finish);
    answer.on('error', finish);
  });
  sent.on('error', finish);
  sent.on('close', finish);
  return promise;
}
