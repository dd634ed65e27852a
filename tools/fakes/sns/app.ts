import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import * as z from 'zod';
import { subscribe, subscribeBody } from '../web-push/subscriptions.ts';
import { faultsBody } from './faults.ts';
import type { Context } from './query.ts';
import { createReceiver } from './receiver.ts';
import { type Endpoint, type InboxEntry, phoneOf, type State } from './state.ts';

/** The people behind endpoints, by ARN, as far as they are known. */
export type FindOwners = (
  endpointArns: string[],
) => Promise<Record<string, { name: string; timeZone: string }>>;

/** The page shows at most this many. */
const maxPhones = 100;
const maxPushes = 1000;

/**
 * The JSON side, for tests and people, the phones' page at `/`, and a receiver of webhooks at `/webhooks/`.
 * @param secretsFile keeps the secrets of webhooks
 */
export function createSnsApp(context: Context, findOwners: FindOwners, secretsFile?: string) {
  const { state, faults } = context;
  return (
    new Hono()
      .onError((error, c) => {
        if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
        console.error(error);
        return c.json({ error: 'The local SNS failed: see its output.' }, 500);
      })
      .notFound((c) => c.json({ error: `There is nothing at ${c.req.method} ${c.req.path}.` }, 404))
      .use(async (c, next) => {
        // Pages of other sites that a developer happens to visit must not empty the inbox or plant faults.
        const site = c.req.header('sec-fetch-site') ?? 'none';
        if (c.req.method !== 'GET' && !['same-origin', 'none'].includes(site))
          throw new HTTPException(403, { message: 'Requests from pages of other sites are refused.' });
        await next();
      })
      .get('/health', (c) => c.json({ status: 'ok' }))
      .get('/inbox', (c) => c.json(listInbox(state, c.req.query('token'))))
      .delete('/inbox', (c) => {
        state.clearPushes();
        return c.body(null, 204);
      })
      .get('/phones', (c) => c.json([...state.endpoints.values()].map(phoneOf)))
      // As SNS does when Apple or Google rejects the token.
      .post('/phones/disable', async (c) => {
        for (const endpoint of phonesOf(state, await readJson(c.req)))
          state.putEndpoint({ ...endpoint, enabled: false });
        return c.body(null, 204);
      })
      .post('/phones/delete', async (c) => {
        for (const { arn } of phonesOf(state, await readJson(c.req))) state.deleteEndpoint(arn);
        return c.body(null, 204);
      })
      // As a page's `pushManager.subscribe` would.
      .post('/web-push/subscriptions', async (c) => {
        const given = check(subscribeBody, await readJson(c.req));
        return c.json(subscribe(state, new URL(c.req.url).origin, given), 201);
      })
      .get('/owners', async (c) => c.json(await findOwners([...state.endpoints.keys()].slice(-maxPhones))))
      .get('/faults', (c) => c.json(faults))
      .post('/faults', async (c) => {
        const planted = check(faultsBody, await readJson(c.req));
        faults.push(...planted);
        return c.json(planted, 201);
      })
      // With `token`, only those that hit that device.
      .delete('/faults', (c) => {
        const token = c.req.query('token');
        faults.splice(0, faults.length, ...faults.filter((one) => token && one.token !== token));
        return c.body(null, 204);
      })
      // Begins with a snapshot, so a page that reconnects misses nothing.
      .get('/events', (c) =>
        streamSSE(c, async (stream) => {
          const send = (event: string, data: object) =>
            stream.writeSSE({ event, data: JSON.stringify(data) });
          const phones = [...state.endpoints.values()].slice(-maxPhones).map(phoneOf);
          void send('snapshot', { phones, pushes: state.pushes.slice(-maxPushes) });
          state.on('change', send);
          await new Promise<void>((resolve) => stream.onAbort(resolve));
          state.off('change', send);
        }),
      )
      .route('/webhooks', createReceiver(secretsFile))
      .get('/webhooks', (c) => c.redirect('/webhooks/'))
      .use(secureHeaders({ contentSecurityPolicy: pagePolicy }))
      // The page has the console's look.
      .get('/styles/*', serveStatic({ root: consoleSources }))
      .get('/bell.svg', serveStatic({ root: consoleSources }))
      .use(serveStatic({ root: join(import.meta.dirname, 'page') }))
  );
}

const consoleSources = join(import.meta.dirname, '../../../console');

/** The page loads and runs nothing that is not its own. */
const pagePolicy = { defaultSrc: ["'self'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

/** The accepted pushes, oldest first, duplicates included. */
export const listInbox = ({ pushes }: State, token?: string): InboxEntry[] =>
  pushes
    .filter((push) => token === undefined || push.token === token)
    .map(({ collapseId: _, ...entry }) => entry);

function phonesOf(state: State, body: unknown): Endpoint[] {
  const { token } = check(z.strictObject({ token: z.string().min(1) }), body);
  const endpoints = [...state.endpoints.values()].filter((endpoint) => endpoint.token === token);
  if (endpoints.length > 0) return endpoints;
  throw new HTTPException(404, { message: `No endpoint has the token '${token}'.` });
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (error) throw new HTTPException(400, { message: z.prettifyError(error) });
  return data;
}

const readJson = (request: { json(): Promise<unknown> }) =>
  request.json().catch(() => {
    throw new HTTPException(400, { message: 'The body must be JSON.' });
  });
