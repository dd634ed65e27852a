import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { takeFault } from '../sns/faults.ts';
import { statusOf } from '../sns/protocol.ts';
import { bodyOf, type Context } from '../sns/query.ts';
import type { Endpoint } from '../sns/state.ts';
import { decrypt } from './encryption.ts';
import { Refusal, refused } from './refusal.ts';
import { pushPath, secretsOf } from './subscriptions.ts';
import { checkVapid } from './vapid.ts';

/** RFC 8030, 7.2: a push service takes this much, and may refuse more. */
const maxBodyBytes = 4096;

/** Whether a request is a push to a browser. */
export const isPush = ({ method, url = '' }: IncomingMessage) =>
  method === 'POST' && url.startsWith(pushPath) && url !== `${pushPath}subscriptions`;

/** Answers a push to a browser as the push services of browsers do (RFC 8030), but for what they cannot see: its text. */
export async function answerPush(request: IncomingMessage, response: ServerResponse, context: Context) {
  const { state, faults, closing } = context;
  const reset = () => request.socket.resetAndDestroy();
  const refuse = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
  try {
    const body = await bodyOf(request);
    const arn = `http://${request.headers.host}${request.url}`;
    const known = state.endpoints.get(arn);
    const fault = takeFault(faults, 'WebPush', { token: known?.token, endpointArn: arn });
    if (fault && fault.delayMs > 0) await delay(fault.delayMs, undefined, { signal: closing });
    if (fault?.kind === 'reset') return reset();
    const status =
      fault?.status ?? (fault?.code ? statusOf(fault.code) : fault?.kind === 'html' ? 503 : null);
    if (status !== null && fault) {
      // A subscription that has ended does not come back.
      if (known && (status === 404 || status === 410)) state.putEndpoint({ ...known, enabled: false });
      if (fault.retryAfter !== null) response.setHeader('retry-after', fault.retryAfter);
      for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value);
      return refuse(status, fault.body ?? `${fault.code ?? status}, as asked for at /faults`);
    }
    if (!known) throw refused(404, 'There is no such subscription.');
    if (!known.enabled) throw refused(410, 'The subscription has ended.');
    const messageId = await accept(request, body, { ...context, phone: known });
    if (fault?.kind === 'accepted-then-reset') return reset();
    const location = `http://${request.headers.host}${pushPath}message/${messageId}`;
    response.writeHead(201, { location, ttl: request.headers.ttl ?? '0' }).end();
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.status, error.message);
    // Closing the server aborts delayed calls.
    if (closing.aborted) return reset();
    console.error(error);
    refuse(500, 'See the output of the local SNS.');
  }
}

/** Checks a push and puts it into the inbox. @throws Refusal */
async function accept(
  { headers }: IncomingMessage,
  body: Buffer,
  { state, phone, now, credentials }: Context & { phone: Endpoint },
): Promise<string> {
  const { applicationServerKey, ...keys } = secretsOf(phone);
  const { maxSkewMs } = credentials;
  const { authorization } = headers;
  const sender = await checkVapid({
    authorization,
    audience: new URL(phone.arn).origin,
    now: now(),
    maxSkewMs,
  });
  if (applicationServerKey !== undefined && applicationServerKey !== sender)
    throw refused(403, 'The key is not the one with which the page subscribed.');
  if (body.length > maxBodyBytes) throw refused(413, `Expected at most ${maxBodyBytes} bytes.`);
  const { ttl, topic, urgency } = readHeaders(headers);
  const { title = null, body: text = null, data = {} } = readText(body, keys);
  const messageId = randomUUID();
  state.addPush({
    at: new Date(now()).toISOString(),
    endpointArn: phone.arn,
    platform: phone.platform,
    token: phone.token,
    title,
    body: text,
    data,
    attributes: { TTL: ttl, ...(urgency && { Urgency: urgency }), ...(topic && { Topic: topic }) },
    messageId,
    collapseId: topic ?? null,
  });
  return messageId;
}

/** RFC 8030, 5.2 to 5.4. @throws Refusal */
function readHeaders(headers: IncomingMessage['headers']) {
  const one = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join() : value;
  };
  const [ttl, topic, urgency] = [one('ttl'), one('topic'), one('urgency')];
  if (ttl === undefined || !/^\d{1,9}$/.test(ttl)) throw refused(400, 'Expected the header TTL in seconds.');
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic))
    throw refused(400, 'Expected a Topic of at most 32 characters of base64url.');
  if (urgency !== undefined && !/^(very-low|low|normal|high)$/.test(urgency))
    throw refused(400, 'Expected an Urgency of very-low, low, normal or high.');
  if (one('content-encoding') !== 'aes128gcm') throw refused(400, 'Expected the Content-Encoding aes128gcm.');
  return { ttl, topic, urgency };
}

interface Text {
  title?: string;
  body?: string;
  data?: Record<string, unknown>;
}

/** A declarative web push, as Safari reads it; the other forms are the worker's. @throws where Safari would show nothing */
function shownIn(text: Text & { web_push?: unknown; notification?: Text & { navigate?: unknown } }): Text {
  if (text.web_push === undefined) return text;
  const { title, navigate } = text.notification ?? {};
  if (text.web_push !== 8030 || typeof title !== 'string') throw new Error('a declaration without a title');
  if (typeof navigate !== 'string' || !URL.canParse(navigate, 'https://page.example.org/p/'))
    throw new Error('a declaration whose `navigate` is no URL');
  return text.notification as Text;
}

/** A real push service cannot read it, and the browser would show nothing. @throws Refusal */
function readText(body: Buffer, keys: Parameters<typeof decrypt>[1]): Text {
  try {
    return shownIn(JSON.parse(decrypt(body, keys)));
  } catch (error) {
    throw refused(400, `The browser cannot read the push: ${(error as Error).message}`);
  }
}
