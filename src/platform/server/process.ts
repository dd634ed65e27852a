import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { type Config, ConfigError, settingsIn } from '../../config.ts';
import { rootMessage } from '../../errors.ts';
import type { Services } from '../../services.ts';
import { lockDatabase } from './file-lock.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';
import { openSqlite } from './open-sqlite.ts';
import { createServices } from './services.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import { withStaticFiles } from './static-files.ts';
import { informSystemd } from './systemd.ts';

/** A connection, as the server knows it. */
export interface Connection {
  address?: string | undefined;
}

export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>;

/** A listening server. */
export interface Listener {
  port: number;
  /** Accepts no more requests; resolves when open ones are answered, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/** The parts that an entry brings: its runtime's server, and the application. */
export interface Entry {
  runtime: 'node' | 'deno';
  createApp(services: Services, config: Config): { fetch: Fetch };
  /** @throws when the address is not available */
  listen(fetch: Fetch, at: { hostname: string; port: number }): Promise<Listener>;
}

/** Time for open requests after the signal to stop. */
const shutdownTimeoutMs = 10_000;

/** Within this time a second signal is the same Ctrl-C: the terminal and npm may both forward it. */
const sameSignalMs = 500;

/** Serves until the process is told to stop, and ends the process. */
export async function runProcess(entry: Entry): Promise<void> {
  exitOnFault();
  // Signals count from the beginning, so that one during the start stops the service as gracefully, right after it.
  const stopSignal = firstSignal();
  const began = Date.now();
  try {
    const stop = await start(entry, began);
    const signal = await stopSignal;
    const stopping = Date.now();
    log({ event: 'stopping', signal });
    await stop();
    log({ event: 'stop', ms: Date.now() - stopping });
    process.exit(0);
  } catch (error) {
    refuse(error);
  }
}

async function start(entry: Entry, began: number): Promise<() => Promise<void>> {
  const { config, server } = readSettings(process.env, process.argv);
  await mkdir(dirname(server.database), { recursive: true });
  const lock = await lockDatabase(server.database);
  const database = await openSqlite(server.database);
  const migrations = await migrate(database.client, undefined, server.database);
  const { services, ...work } = createServices(database, config, log);
  const app = entry.createApp(services, config);
  const fetch: Fetch = (request, connection) =>
    app.fetch(request, { address: addressOf(request, connection, server.addressHeader) });
  const listener = await listen(entry, withStaticFiles(fetch), server);
  work.start();
  log({
    event: 'start',
    runtime: entry.runtime,
    url: `http://${server.host}:${listener.port}`,
    database: server.database,
    migrations: migrations.length,
    settings: settingsIn(process.env),
    ms: Date.now() - began,
  });
  if ('secret' in config.auth.keys && !config.local)
    log({
      event: 'auth.shared-secret',
      level: 'error',
      reason: 'AUTH_SECRET lets anybody who knows it act for everybody: behind a proxy, set AUTH_JWKS_URL.',
    });
  const goSilent = informSystemd(services.minuteIsAlive ?? (() => true), log);
  return async () => {
    goSilent();
    // Requests first: the last of them may still leave work behind.
    await listener.close(shutdownTimeoutMs);
    await work.stop();
    database.close();
    lock.release();
  };
}

async function listen(entry: Entry, fetch: Fetch, { host, port }: { host: string; port: number }) {
  try {
    return await entry.listen(fetch, { hostname: host, port });
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || name === 'AddrInUse')
      throw new StartError(`Port ${port} of ${host} is in use: set PORT to another one.`);
    throw error;
  }
}

/** Characters: an IPv6 address with its zone and port. */
const longestAddress = 100;

/** Anyone can send the header, so it counts only behind a proxy that sets it, and then its last entry, the proxy's own. */
function addressOf(request: Request, { address }: Connection, header: string | undefined) {
  const entries = header ? request.headers.get(header)?.slice(-longestAddress) : undefined;
  return entries?.split(',').at(-1)?.trim() || address;
}

/** The first signal stops gracefully, a second one at once. */
function firstSignal(): Promise<string> {
  let first: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (first !== undefined && Date.now() - first > sameSignalMs) {
          log({ event: 'stop', forced: true });
          process.exit(1);
        }
        first ??= Date.now();
        resolve(signal);
      });
  });
}

/** After an uncaught fault no state can be trusted: exit, and let the supervisor restart the service. */
function exitOnFault() {
  const onFault = (error: unknown) => {
    log({ event: 'fault', error: rootMessage(error) });
    process.exit(1);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
}

function refuse(error: unknown): never {
  const explained = error instanceof ConfigError || error instanceof StartError;
  console.error(`Fieldbell cannot start:\n${explained ? error.message : rootMessage(error)}`);
  process.exit(1);
}
