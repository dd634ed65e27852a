import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { answerPush, isPush } from '../web-push/push.ts';
import { createSnsApp, type FindOwners, listInbox } from './app.ts';
import { answerQuery, type Context } from './query.ts';
import { type InboxEntry, openStateFile, State } from './state.ts';

export interface SnsOptions {
  /** 0 takes any free port. */
  port: number;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** The platform applications: any name to ARN. */
  platformApplications?: Readonly<Record<string, string>>;
  /** Keeps endpoints and the inbox over a restart. Without it they are gone on close. */
  stateFile?: string;
  /**
   * How far a signature's date may be from the clock: 15 minutes, as at AWS. Infinite for tests that move the clock of the
   * service: answers have no `Date` then, by which the service would find its clock wrong.
   */
  maxSkewMs?: number;
  /** Epoch ms. Signatures are checked against it, and answers dated. */
  now?: () => number;
  /** Finds the people behind endpoints, for the page. */
  findOwners?: FindOwners;
}

export interface LocalSns {
  url: string;
  port: number;
  inbox: { list(): InboxEntry[]; clear(): void };
  /** Open connections and unanswered requests. 0: every caller is gone, and no call of theirs is still to come. */
  busy(): number;
  /** Ends every connection, those of open pages too, and writes the state. */
  close(): Promise<void>;
}

/**
 * Starts a local stand-in for AWS SNS mobile push on the loopback address. Rejects with `EADDRINUSE` when the port is
 * taken, and when the state file is not one.
 */
export async function startSns(options: SnsOptions): Promise<LocalSns> {
  const { port, accessKeyId, secretAccessKey, region, stateFile, maxSkewMs = 15 * 60_000 } = options;
  const applications = Object.values(options.platformApplications ?? {});
  const file = stateFile === undefined ? undefined : await openStateFile(stateFile, applications);
  const state = file?.state ?? new State(undefined, applications);
  const closing = new AbortController();
  const context: Context = {
    state,
    faults: [],
    credentials: { accessKeyId, secretAccessKey, region, maxSkewMs },
    now: options.now ?? Date.now,
    closing: closing.signal,
  };
  const secretsFile = stateFile === undefined ? undefined : join(dirname(stateFile), 'webhook-secrets.json');
  const app = createSnsApp(context, options.findOwners ?? (async () => ({})), secretsFile);

  let busy = 0;
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(async (request, response) => {
    busy += 1;
    response.sendDate = false;
    if (Number.isFinite(maxSkewMs)) response.setHeader('date', new Date(context.now()).toUTCString());
    // Through Hono a push would cost three times as much, and load tests send tens of thousands.
    const isCall = request.method === 'POST' && request.url === '/';
    if (isCall) await answerQuery(request, response, context);
    else if (isPush(request)) await answerPush(request, response, context);
    else await listener(request, response);
    busy -= 1;
  });
  server.on('connection', (socket) => {
    busy += 1;
    socket.once('close', () => {
      busy -= 1;
    });
  });
  // Longer than clients keep idle connections, so that none is closed while a request is on its way.
  server.keepAliveTimeout = 75_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actualPort}`,
    port: actualPort,
    inbox: { list: () => listInbox(state), clear: () => state.clearPushes() },
    busy: () => busy,
    close: async () => {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await file?.close();
    },
  };
}
