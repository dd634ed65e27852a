import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { faultOfUrl, isClosedAddress } from '../../changes/webhook-addresses.ts';
import type { WebhookAnswer, WebhookRequest } from '../../services.ts';

/** For the whole answer. */
const patienceMs = 10_000;
const maxAnswerBytes = 64 * 1024;

/** The error of a receiver whose name leads inside. */
const closed = 'The host has a private, loopback or link-local address.';

/** Looks up names for a socket, which then connects to an address that was checked, whatever the name says later. */
const openLookup =
  (resolve: typeof lookup): LookupFunction =>
  (host, options, done) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) done(error ?? new Error('The host has no address.'), []);
      else if (found.some(({ address }) => isClosedAddress(address))) done(new Error(closed), []);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });

/**
 * Calls receivers by Node's own client, on Node and Deno. @param local http to the loopback address is allowed
 * @param resolve finds the addresses of a name
 */
export function createWebhookCalls(local: boolean, resolve = lookup, timeoutMs = patienceMs) {
  const agent = new https.Agent({
    keepAlive: true,
    maxSockets: 4,
    timeout: 60_000,
    lookup: openLookup(resolve),
  });
  return (request: WebhookRequest): Promise<WebhookAnswer> => {
    const fault = faultOfUrl(request.url, local);
    if (fault !== null) return Promise.resolve({ status: null, error: fault });
    const url = new URL(request.url);
    return new Promise((settle) => {
      const options = { method: 'POST', headers: request.headers, signal: AbortSignal.timeout(timeoutMs) };
      // Only a loopback address in local mode is called without TLS.
      const sent =
        url.protocol === 'https:' ? https.request(url, { ...options, agent }) : http.request(url, options);
      sent.on('error', (error) => settle({ status: null, error: reasonOf(error, timeoutMs) }));
      sent.on('response', (answer) => {
        settle({ status: answer.statusCode ?? 0 });
        // The rest is read for the sake of the connection.
        let bytes = 0;
        answer.on('data', (part: Uint8Array) => {
          bytes += part.length;
          if (bytes > maxAnswerBytes) sent.destroy();
        });
        answer.on('error', () => {});
      });
      sent.end(request.body);
    });
  };
}

function reasonOf(error: NodeJS.ErrnoException, timeoutMs: number): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No answer in ${timeoutMs / 1000} seconds.`;
  return error.message === closed ? closed : `No connection${error.code ? `: ${error.code}` : ''}.`;
}
