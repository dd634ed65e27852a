import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in a process group of its own. */
export interface Server {
  url: string;
  /** Gracefully; resolves when it has ended. */
  end(): Promise<void>;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

const patienceMs = 15_000;

/** Starts a program that says where it listens as Fieldbell does. It ends with this process. @throws when it ends before */
export async function startServer(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<Server> {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => signalGroup(child, 'SIGKILL');
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      signalGroup(child, 'SIGTERM');
      const impatient = setTimeout(kill, patienceMs);
      await ended;
      clearTimeout(impatient);
    }
    // What it started goes with it.
    kill();
  };
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  try {
    return { url: await urlOf(child), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** From then on the log is read and thrown away, without looking at its lines: a parser would take part of a core. */
async function urlOf(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  let seen = '';
  const found = new Promise<string>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      seen += chunk;
      const [, url] = /"event":"start".*"url":"([^"]+)"/.exec(seen) ?? [];
      if (url === undefined) return;
      stdout?.off('data', look).resume();
      stderr?.off('data', look).resume();
      resolve(url);
    };
    stdout?.on('data', look);
    stderr?.on('data', look);
    child.once('exit', (code) =>
      reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${seen}`)),
    );
  });
  return found;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
