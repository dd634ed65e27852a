import { readFileSync, writeFileSync } from 'node:fs';
import { Hono } from 'hono';
import { Webhook } from 'standardwebhooks';

/** The page shows at most this many calls, and tries at most this many secrets. */
const maxCalls = 200;
const maxSecrets = 50;

/** A call of a webhook, as the page shows it. */
export interface ReceivedCall {
  at: string;
  /** The answer that the call got. */
  status: number;
  id: string | null;
  /** `unknown`: the receiver has no secret. */
  signature: 'holds' | 'does not hold' | 'unknown';
  body: unknown;
}

/**
 * A receiver of webhooks: `POST /calls` takes calls (`?status=500` answers so), `POST /secrets` the answer that gave a
 * secret, `GET /calls` lists calls, newest first. @param file keeps the secrets over a restart
 */
export function createReceiver(file?: string) {
  const secrets = file === undefined ? [] : readSecrets(file);
  const calls: (ReceivedCall & { judge: () => ReceivedCall['signature'] })[] = [];
  return new Hono()
    .post('/calls', async (c) => {
      const text = await c.req.text();
      const status = Number(c.req.query('status') ?? 204);
      const headers = c.req.header();
      const judge = () => (secrets.length === 0 ? 'unknown' : holds(secrets, text, headers));
      calls.unshift({
        at: new Date().toISOString(),
        status,
        id: c.req.header('webhook-id') ?? null,
        signature: judge(),
        judge,
        body: parse(text),
      });
      calls.splice(maxCalls);
      return new Response(null, { status: status >= 200 && status <= 599 ? status : 500 });
    })
    .get('/calls', (c) => c.json(calls.map(({ judge: _, ...call }): ReceivedCall => call)))
    .delete('/calls', (c) => {
      calls.splice(0);
      return c.body(null, 204);
    })
    .post('/secrets', async (c) => {
      const answer = parse(await c.req.text()) as { secret?: unknown } | null;
      const secret = answer?.secret;
      if (typeof secret !== 'string' || !secret.startsWith('whsec_'))
        return c.json(
          { error: 'Expected {"secret": "whsec_…"}, as the creation of a webhook answers.' },
          400,
        );
      if (!secrets.includes(secret)) secrets.unshift(secret);
      secrets.splice(maxSecrets);
      // The first call may come before its secret.
      for (const call of calls) if (call.signature !== 'holds') call.signature = call.judge();
      if (file !== undefined) writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
      return c.body(null, 204);
    });
}

function holds(secrets: readonly string[], text: string, headers: Record<string, string>) {
  const isHeld = secrets.some((secret) => {
    try {
      new Webhook(secret).verify(text, headers);
      return true;
    } catch {
      return false;
    }
  });
  return isHeld ? 'holds' : 'does not hold';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readSecrets(file: string): string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}
