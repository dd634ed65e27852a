import { withDeadline } from '../../outgoing.ts';
import type { WebhookAnswer, WebhookRequest } from '../../services.ts';
import { faultOfUrl, unreachable } from '../../webhooks/addresses.ts';

const patienceMs = 10_000;

/**
 * Calls receivers by `fetch`, which on Cloudflare reaches public addresses only. The body of an answer is not read.
 * @param local http to the loopback address is allowed
 */
export const createWebhookCalls =
  (local: boolean, timeoutMs = patienceMs) =>
  async ({ url, headers, body }: WebhookRequest): Promise<WebhookAnswer> => {
    const fault = faultOfUrl(url, local);
    if (fault !== null) return { status: null, error: fault };
    try {
      return await withDeadline(timeoutMs, async (signal) => {
        const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
        answer.body?.cancel().catch(() => {});
        const location = answer.headers.get('location');
        return { status: answer.status, ...(location !== null && { location }) };
      });
    } catch {
      return { status: null, error: unreachable };
    }
  };
