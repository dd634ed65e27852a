import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A request with a text, to the origin of its dispatcher. */
export interface Posted extends Dispatcher.DispatchOptions {
  signal: AbortSignal;
}

/**
 * Sends a request once over undici, without the layers of its `request` and `fetch`, and resolves with the status and the
 * beginning of the answer, as text: of a longer one the rest is not read, and its connection ends. Follows no redirect.
 * Rejects when the signal aborts; a request that then still waits for a connection never goes out.
 * @param onStatus hears of the status and the headers before the text is read
 */
export const dispatch = (
  to: Dispatcher,
  { signal, ...request }: Posted,
  maxBytes: number,
  onStatus: (status: number, headers: IncomingHttpHeaders) => void = () => {},
) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    signal.throwIfAborted();
    let running: Dispatcher.DispatchController | undefined;
    let status = 0;
    let remaining = maxBytes;
    const parts: Buffer[] = [];
    const answer = () => resolve({ status, text: Buffer.concat(parts).toString() });
    const abort = () => {
      running?.abort(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    to.dispatch(request, {
      onRequestStart(controller) {
        running = controller;
        if (signal.aborted) abort();
      },
      onResponseStart(_, code, headers) {
        status = code;
        onStatus(code, headers);
      },
      onResponseData(controller, part) {
        parts.push(part.subarray(0, remaining));
        remaining -= part.length;
        if (remaining > 0) return;
        answer();
        controller.abort(new Error('the answer is too long'));
      },
      onResponseEnd: answer,
      onResponseError: (_, error) => reject(error),
    });
  });
