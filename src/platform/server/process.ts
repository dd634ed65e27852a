import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { type Config, ConfigError } from '../../config.ts';
import { rootMessage } from '../../errors.ts';
import type { Services } from '../../services.ts';
import { withDocs } from './docs.ts';
import { lockDatabase } from './file-lock.ts';
import { openLibsql } from './libsql.ts';
import { log } from './log.ts';
import { MigrationError, migrate } from './migrations.ts';
import { createLocalServices } from './services.ts';
import { type LocalSettings, readSettings } from './settings.ts';
import type { Transport } from './sns-transport.ts';
import { StartError } from './start-error.ts';

/** What a server knows of a connection. */
export interface Connection {
  address?: string | undefined;
}

export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>;

/** A server that listens. */
export interface Listener {
  port: number;
  /** Takes no more requests; resolves when those under way are answered, or `patienceMs` have passed. */
  close(patienceMs: number): Promise<void>;
}

/** What an entry brings: its runtime's server, and the application. */
export interface Entry {
  runtime: 'node' | 'deno';
  createApp(services: Services, config: Config): { fetch: Fetch };
  /** Its fastest way to the push relay. */
  transport: Transport;
  /** @throws when the address cannot be had */
  listen(fetch: Fetch, at: { hostname: string; port: number }): Promise<Listener>;
}

/** So long requests may go on after the signal to stop. */
const patienceMs = 10_000;

/** A terminal and npm may both pass on the same Ctrl-C. */
const sameSignalMs = 500;

/** Serves until the process is told to stop, and ends it. */
export async function runProcess(entry: Entry): Promise<void> {
  watchFaults();
  // Listened to from the beginning: one that comes during the start stops as gracefully, right after it.
  const told = firstSignal();
  const began = Date.now();
  try {
    const stop = await start(entry, began);
    const signal = await told;
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
  const { config, local } = readSettings(process.env);
  await mkdir(dirname(local.database), { recursive: true });
  const lock = await lockDatabase(local.database);
  const database = await openLibsql(local.database);
  const migrations = await migrate(database.client);
  const { services, ...work } = createLocalServices(database.db, config, log, entry.transport);
  const app = entry.createApp(services, config);
  const fetch: Fetch = (request, connection) =>
    app.fetch(request, { address: addressOf(request, connection, local.addressHeader) });
  const listener = await listen(entry, withDocs(fetch), local);
  work.start();
  log({
    event: 'start',
    runtime: entry.runtime,
    url: `http://${local.host}:${listener.port}`,
    database: local.database,
    migrations: migrations.length,
    ms: Date.now() - began,
  });
  return async () => {
    await Promise.all([listener.close(patienceMs), work.stop()]);
    database.close();
    lock.release();
  };
}

async function listen(entry: Entry, fetch: Fetch, { host, port }: LocalSettings) {
  try {
    return await entry.listen(fetch, { hostname: host, port });
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || name === 'AddrInUse')
      throw new StartError(`Port ${port} of ${host} is in use: set PORT to another one.`);
    throw error;
  }
}

/** Anybody may send the header: it counts only where a proxy in front sets it, and then its last entry, the proxy's own. */
function addressOf(request: Request, { address }: Connection, header: string | undefined) {
  return (header && request.headers.get(header)?.split(',').at(-1)?.trim()) || address;
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

/** After a fault that nothing caught, nothing is certain: whoever keeps the service running starts it anew. */
function watchFaults() {
  const onFault = (error: unknown) => {
    log({ event: 'fault', error: rootMessage(error) });
    process.exit(1);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
}

function refuse(error: unknown): never {
  const told = [ConfigError, StartError, MigrationError].some((kind) => error instanceof kind);
  console.error(`Fieldbell cannot start:\n${told ? (error as Error).message : rootMessage(error)}`);
  process.exit(1);
}
