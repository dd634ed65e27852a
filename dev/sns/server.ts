import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newApplication } from './applications.ts';
import { parseApplicationArn } from './arns.ts';
import type { Context } from './context.ts';
import { SNS_DEFAULTS } from './defaults.ts';
import { Faults } from './faults.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { route } from './routes.ts';
import { MAX_SKEW_MS } from './sigv4.ts';
import { State, type StateData } from './state.ts';
import { keepState, loadState } from './state-file.ts';

export interface SnsOptions {
  /** 0 takes any free port. */
  port: number;
  host?: '127.0.0.1';
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  accountId?: string;
  /** Applications that exist from the start: any name to ARN. */
  platformApplications?: Readonly<Record<string, string>>;
  /** Where endpoints, applications and the inbox outlive a restart. Without it they are gone on close. */
  stateFile?: string;
  /** What it knows from the start, where there is no file. */
  state?: StateData;
  /** How far a signature's date may be from the clock: 15 minutes, as at AWS, unless tests move their own clock. */
  maxSkewMs?: number;
  /** The clock: milliseconds since the Unix epoch. Signatures are checked against it. */
  now?: () => number;
}

export interface LocalSns {
  url: string;
  port: number;
  inbox: Inbox;
  /** Connections and requests under way: 0 when whoever called is gone, and nothing of theirs is still to come. */
  busy(): number;
  /** Ends every connection, also those of open pages, and writes the state. */
  close(): Promise<void>;
}

/**
 * Starts a stand-in for AWS SNS mobile push on the loopback address: the query protocol at `POST /`, the inbox
 * page at `GET /`. Rejects with `EADDRINUSE` when the port is taken, and on a state file that is not one.
 */
export async function startSns(options: SnsOptions): Promise<LocalSns> {
  const { port, host = '127.0.0.1', accessKeyId, secretAccessKey, region, stateFile } = options;
  const state = stateFile === undefined ? new State(options.state) : await loadState(stateFile);
  addApplications(state, options.platformApplications ?? {});
  const closing = new AbortController();
  const context: Context = {
    state,
    faults: new Faults(),
    credentials: { accessKeyId, secretAccessKey, region, maxSkewMs: options.maxSkewMs ?? MAX_SKEW_MS },
    accountId: options.accountId ?? SNS_DEFAULTS.accountId,
    now: options.now ?? Date.now,
    closing: closing.signal,
  };

  let busy = 0;
  const server = createServer(async (request, response) => {
    busy += 1;
    await route(request, response, context);
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
  server.listen(port, host);
  await once(server, 'listening');
  const keeper = stateFile === undefined ? undefined : keepState(state, stateFile);

  const actualPort = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${actualPort}`,
    port: actualPort,
    inbox: createInbox(state),
    busy: () => busy,
    close: async () => {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await keeper?.flush();
    },
  };
}

function addApplications(state: State, applications: Readonly<Record<string, string>>): void {
  for (const [name, given] of Object.entries(applications)) {
    const { arn, platform } = parseApplicationArn(given, `platformApplications.${name}`);
    if (!state.applications.has(arn)) state.putApplication(newApplication(arn, platform));
  }
}
