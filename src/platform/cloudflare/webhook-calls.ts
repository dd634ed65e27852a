import { faultOfUrl } from '../../changes/webhook-addresses.ts';
import type { WebhookAnswer, WebhookRequest } from '../../services.ts';

const timeoutMs = 10_000;

/**
 * Calls receivers by `fetch`, which on Cloudflare reaches public addresses only. The body of an answer is not read.
 * @param local http to the loopback address is allowed
 */
export const createWebhookCalls =
  (local: boolean) =>
  async ({ url, headers, body }: WebhookRequest): Promise<WebhookAnswer> => {
    const fault = faultOfUrl(url, local);
    if (fault !== null) return { status: null, error: fault };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await answer.body?.cancel();
      return { status: answer.status };
    } catch {
      const error = signal.aborted ? `No answer in ${timeoutMs / 1000} seconds.` : 'No connection.';
      return { status: null, error };
    }
  };
