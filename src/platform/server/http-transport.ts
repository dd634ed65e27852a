import { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import type { Transport } from './sns-transport.ts';

/** Connections to the relay at most; further pushes wait for one. An idle one is closed before the relay closes it. */
const options = { keepAlive: true, maxSockets: 128, maxFreeSockets: 128, timeout: 4_000 };

/** For Node, whose `fetch` puts layers (streams, bodies, headers) over the same that cost several times as much. */
export function viaHttp(): Transport {
  const plain = { request: http.request, agent: new http.Agent(options) };
  const secure = { request: https.request, agent: new https.Agent(options) };
  return (url, { headers, body, signal }) => {
    const { request, agent } = url.protocol === 'http:' ? plain : secure;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const call = request(url, { method: 'POST', headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        response.on('error', reject);
      });
      // A request that waits for a connection would tell of its end only when it gets one.
      const abort = () => {
        reject(signal.reason);
        call.destroy();
      };
      signal.addEventListener('abort', abort, { once: true });
      call.on('error', reject);
      call.on('close', () => signal.removeEventListener('abort', abort));
      call.end(body);
    });
  };
}
