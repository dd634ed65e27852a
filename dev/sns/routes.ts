import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from './context.ts';
import { InputError } from './errors.ts';
import { streamEvents } from './events.ts';
import { parseFaults } from './faults.ts';
import { readJson, sendJson, sendNothing } from './http.ts';
import { createInbox, parseInboxFilter } from './inbox.ts';
import { PAGES, sendPage } from './pages.ts';
import { deletePhones, disablePhones, listPhones } from './phones.ts';
import { answerQuery } from './query.ts';

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  context: Context;
}
type Route = (call: Call) => void | Promise<void>;

const ROUTES = new Map<string, Route>([
  ['POST /', ({ request, response, context }) => answerQuery(request, response, context)],
  ...[...PAGES].map(([path, page]): [string, Route] => [
    `GET ${path}`,
    ({ response }) => sendPage(response, page),
  ]),
  ['GET /events', ({ response, context }) => streamEvents(response, context.state)],
  ['GET /health', ({ response }) => sendJson(response, 200, { status: 'ok' })],
  [
    'GET /inbox',
    ({ response, url, context }) =>
      sendJson(response, 200, createInbox(context.state).list(parseInboxFilter(url.searchParams))),
  ],
  [
    'DELETE /inbox',
    ({ response, context }) => {
      context.state.clearPushes();
      sendNothing(response);
    },
  ],
  ['GET /phones', ({ response, context }) => sendJson(response, 200, listPhones(context.state))],
  [
    'POST /phones/disable',
    async ({ request, response, context }) =>
      sendJson(response, 200, disablePhones(await readJson(request), context.state)),
  ],
  [
    'POST /phones/delete',
    async ({ request, response, context }) =>
      sendJson(response, 200, deletePhones(await readJson(request), context.state)),
  ],
  ['GET /faults', ({ response, context }) => sendJson(response, 200, context.faults.list())],
  [
    'POST /faults',
    async ({ request, response, context }) => {
      const faults = parseFaults(await readJson(request));
      context.faults.add(faults);
      sendJson(response, 201, faults);
    },
  ],
  [
    'DELETE /faults',
    ({ response, context }) => {
      context.faults.clear();
      sendNothing(response);
    },
  ],
]);

/** Answers one HTTP request. */
export async function route(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://local');
    refuseOtherSites(request);
    await findRoute(request.method, url.pathname)({ request, response, url, context });
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (!(error instanceof InputError)) console.error(error);
    const { status, message } =
      error instanceof InputError ? error : { status: 500, message: 'See the output.' };
    sendJson(response, status, { error: message });
  }
}

function findRoute(method = 'GET', path: string): Route {
  const found = ROUTES.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
  if (found) return found;
  const methods = [...ROUTES.keys()]
    .filter((key) => key.endsWith(` ${path}`))
    .map((key) => key.split(' ', 1)[0]);
  if (methods.length === 0) throw new InputError(`There is nothing at ${path}.`, 404);
  throw new InputError(`${path} takes ${methods.join(' and ')}, not ${method}.`, 405);
}

/** A page of another site that a developer happens to visit must not empty the inbox or plant faults. */
function refuseOtherSites({ method = 'GET', headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'] ?? 'none';
  if (['GET', 'HEAD'].includes(method) || ['same-origin', 'none'].includes(String(site))) return;
  throw new InputError('Requests from pages of other sites are refused.', 403);
}
