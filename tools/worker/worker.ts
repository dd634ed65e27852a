import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../settings/start-error.ts';
import { startCron } from './cron.ts';
import { type DevServer, type DevServerOptions, startDevServer, waitUntilHealthy } from './dev-server.ts';

/** The Worker and its cron trigger, which outlive the local runtime. */
export interface RunningWorker {
  url: string;
  /** Resolves after `stop`. Rejects with a StartError when the runtime dies again and again. */
  stopped: Promise<void>;
  end(): Promise<void>;
}

/** A runtime that dies this often within the time would never recover. */
const maxRestarts = 5;
const periodMs = 60_000;

/** This many checks in a row without an answer. A check may take five seconds. */
const maxSilent = 4;
const lookMs = 2_000;
const timeoutMs = 5_000;

/**
 * Starts the Worker, and restarts it whenever the local runtime dies, as older ones did of an interrupted upload. By then
 * everything is stored. @throws StartError
 */
export async function startWorker(options: DevServerOptions, stop: AbortSignal): Promise<RunningWorker> {
  let current = await begin(options, stop);

  async function keepRunning() {
    const restarts: number[] = [];
    for (;;) {
      await whenDead(current.server, stop);
      if (stop.aborted) return;
      await current.end();
      const diedAt = Date.now();
      restarts.push(diedAt);
      if ((restarts.at(-maxRestarts) ?? Infinity) > diedAt - periodMs && restarts.length >= maxRestarts)
        throw new StartError(`The local runtime died ${maxRestarts} times within a minute`);
      current = await begin(options, stop);
      const seconds = ((Date.now() - diedAt) / 1000).toFixed(1);
      console.error(
        `The local runtime died, and was started again within ${seconds} s. Nothing stored was lost.`,
      );
    }
  }

  const stopped = keepRunning().catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
  // Awaited only after the demo study has been set up.
  stopped.catch(() => {});
  return { url: current.server.url, stopped, end: () => current.end() };
}

async function begin(options: DevServerOptions, stop: AbortSignal) {
  const server = startDevServer(options);
  let cron: ReturnType<typeof startCron> | undefined;
  const end = async () => {
    cron?.stop();
    await endServer(server);
  };
  try {
    await waitUntilHealthy(server, stop);
  } catch (error) {
    await end();
    throw error;
  }
  cron = startCron(server.url, (problem) => console.error(problem));
  return { server, end };
}

/**
 * Resolves when wrangler has ended, when nothing answers for a while (wrangler may outlive its runtime, listen on, and
 * believe that it has restarted it), or at `stop`.
 */
async function whenDead({ exited, url }: DevServer, stop: AbortSignal): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  await Promise.race([exited, aborted(stop), whenSilent(url, signal)]);
  over.abort();
}

async function whenSilent(url: string, signal: AbortSignal): Promise<void> {
  for (let silent = 0; silent < maxSilent && !signal.aborted; ) {
    await sleep(lookMs, undefined, { signal }).catch(() => {});
    silent = (await answers(url, signal)) ? 0 : silent + 1;
  }
}

/** Asks for a file, which the Worker does not log. */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}/docs/show.js`, { signal: AbortSignal.any([signal, limit]) });
    await response.text();
    return true;
  } catch {
    return false;
  }
}

async function endServer({ end, lines }: DevServer): Promise<void> {
  lines.mute();
  await end();
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
