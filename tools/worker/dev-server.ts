import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../settings/start-error.ts';
import { type Lines, showLines } from './lines.ts';
import type { ProcessGroup } from './process-group.ts';
import { startWrangler } from './wrangler.ts';

export interface DevServerOptions {
  port: number;
  stateFolder: string;
  settingsFile: string;
  logAll: boolean;
}

/** The Worker, run by `wrangler dev`. */
export interface DevServer extends ProcessGroup {
  url: string;
  lines: Lines;
}

const timeoutMs = 120_000;
const pollMs = 100;

/** Starts `wrangler dev`. The settings file takes the place of any `.dev.vars` or `.env`. */
export function startDevServer({ port, stateFolder, settingsFile, logAll }: DevServerOptions): DevServer {
  const args = ['dev', '--ip', '127.0.0.1', '--port', String(port), '--persist-to', stateFolder];
  // Any free port for the debugger, so that two copies can run.
  args.push('--inspector-port', '0', '--env-file', settingsFile, '--show-interactive-dev-session=false');
  const group = startWrangler(args, stateFolder);
  return { ...group, url: `http://127.0.0.1:${port}`, lines: showLines(group, { all: logAll }) };
}

/** Waits until the service answers. @throws StartError when wrangler ends first or it takes too long */
export async function waitUntilHealthy(
  { url, exited, lines }: DevServer,
  signal: AbortSignal,
): Promise<void> {
  let ended = false;
  const onEnd = () => {
    ended = true;
  };
  exited.then(onEnd, onEnd);
  const deadline = performance.now() + timeoutMs;
  while (!(await isHealthy(url, signal))) {
    signal.throwIfAborted();
    if (ended) throw new StartError(withLatest('wrangler dev ended before the service answered', lines));
    if (performance.now() > deadline)
      throw new StartError(
        withLatest(`The service did not answer at ${url}/health within ${timeoutMs / 1000} s`, lines),
      );
    await sleep(pollMs);
  }
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.timeout(5_000);
    const response = await fetch(`${url}/health`, { signal: AbortSignal.any([signal, limit]) });
    // Read to its end, because workerd complains about cut connections.
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

function withLatest(message: string, lines: Lines): string {
  const latest = lines.latest().map((line) => `  ${line}`);
  return latest.length === 0 ? message : `${message}. Its last lines:\n${latest.join('\n')}`;
}
