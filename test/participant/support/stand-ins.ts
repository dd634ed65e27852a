import type { BrowserContext } from 'playwright-core';

/*
 * Answers in place of the service's, at `fetch` of the page. Routes of the browser are passed by a page that is being left, and now and
 * then by any page with a service worker.
 */

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

interface Answer {
  status?: number;
  contentType?: string;
  body?: string;
  json?: unknown;
}

/** A request of a page that waits for a decision. */
export interface Held {
  url: string;
  method: string;
  json(): { notification?: string; at: string; clock?: string; items: object };
  /** Lets the service have it, and keeps the answer. */
  fetch(): Promise<Answer>;
  fulfill(answer: Answer): void;
  abort(): void;
  continue(): void;
}

type Decision = 'pass' | 'abort' | { status: number; contentType: string; body: string };
type Handler = (held: Held) => unknown;

const handlers = new WeakMap<BrowserContext, { pattern: RegExp; handler: Handler }[]>();

/** Decides requests whose path ends like this, `*` being a part of it, for all pages of a phone from now on. The last one holds. */
export async function standIn(context: BrowserContext, path: string, handler: Handler) {
  const known = handlers.get(context) ?? [];
  if (!handlers.has(context)) {
    handlers.set(context, known);
    await context.exposeBinding('decideByTest', (_, sent: Sent) => decide(known, sent));
    await context.addInitScript(askFirst);
    for (const page of context.pages()) await page.evaluate(askFirst);
  }
  known.unshift({ pattern: new RegExp(`${path.replaceAll('*', '[^/]*')}$`), handler });
}

/** Lets all requests through again. */
export const endStandIns = (context: BrowserContext) => void handlers.get(context)?.splice(0);

function decide(known: { pattern: RegExp; handler: Handler }[], sent: Sent): Promise<Decision> | Decision {
  const found = known.find(({ pattern }) => pattern.test(new URL(sent.url).pathname));
  if (!found) return 'pass';
  const { url, body, ...init } = sent;
  return new Promise((resolve) => {
    found.handler({
      url,
      method: sent.method,
      json: () => JSON.parse(body ?? ''),
      fetch: async () => {
        const answer = await fetch(url, { ...init, ...(body !== undefined && { body }) });
        const contentType = answer.headers.get('content-type') ?? '';
        return { status: answer.status, contentType, body: await answer.text() };
      },
      fulfill: ({ status = 200, contentType = 'application/json', json, body: text }) =>
        resolve({ status, contentType, body: text ?? JSON.stringify(json) }),
      abort: () => resolve('abort'),
      continue: () => resolve('pass'),
    });
  });
}

/** Runs in the browser. */
function askFirst() {
  const scope = self as unknown as { decideByTest(sent: Sent): Promise<Decision>; asksFirst?: boolean };
  if (scope.asksFirst) return;
  scope.asksFirst = true;
  const send = self.fetch;
  self.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, signal } = request;
    const text = await request.clone().text();
    const headers = Object.fromEntries(request.headers);
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    const sent = { url, method, headers, ...(text && { body: text }) };
    const decision = await Promise.race([scope.decideByTest(sent), aborted]);
    if (decision === 'pass') return send(request);
    if (decision === 'abort') throw new TypeError('Failed to fetch');
    const { status, contentType, body } = decision;
    return new Response(body, { status, headers: { 'content-type': contentType } });
  };
}
