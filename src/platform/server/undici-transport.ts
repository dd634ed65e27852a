import { Buffer } from 'node:buffer';
import { Agent, type Dispatcher } from 'undici';
import type { Transport } from './sns-transport.ts';

/** Connections to the relay at most; further pushes wait for one. */
const connections = 128;

/** For Node, whose `fetch` is the same client under layers (streams, bodies, headers) that cost several times as much. */
export function viaUndici(): Transport {
  const dispatcher = new Agent({ connections });
  return ({ origin, pathname, search }, { headers, body, signal }) => {
    const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const chunks: Buffer[] = [];
      let status = 0;
      let controller: Dispatcher.DispatchController | undefined;
      // Also while it waits for a connection.
      const abort = () => {
        controller?.abort(signal.reason);
        reject(signal.reason);
      };
      const end = () => signal.removeEventListener('abort', abort);
      signal.addEventListener('abort', abort, { once: true });
      dispatcher.dispatch(request, {
        onRequestStart(given) {
          controller = given;
          if (signal.aborted) abort();
        },
        onResponseStart(_, statusCode) {
          status = statusCode;
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          end();
          resolve({ status, text: Buffer.concat(chunks).toString() });
        },
        onResponseError(_, error) {
          end();
          reject(error);
        },
      });
    });
  };
}
