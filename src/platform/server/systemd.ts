import { execFile } from 'node:child_process';
import process from 'node:process';
import type { LogEntry } from '../../services.ts';

/**
 * Tells systemd that the service is ready, and from then on that it is alive, while it is: without a word for `WatchdogSec`
 * systemd restarts it. Its socket takes datagrams, which neither Node nor Deno sends to a file, so its own program does.
 * Without systemd nothing happens. Returns what stops it.
 */
export function informSystemd(isAlive: () => boolean, log: (entry: LogEntry) => void): () => void {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID = process.pid } = process.env;
  if (!NOTIFY_SOCKET) return () => {};
  let hasFailed = false;
  const failed = (error: unknown) => {
    if (!hasFailed) log({ event: 'systemd.failed', level: 'error', error: String(error) });
    hasFailed = true;
  };
  const tell = (state: string) => {
    try {
      // A signal to stop reaches the whole group, and so also a message under way.
      execFile('systemd-notify', [state], (error) => error && !error.signal && failed(error));
    } catch (error) {
      // Deno without the permission to run it.
      failed(error);
    }
  };
  tell('READY=1');
  const everyMs = Number(WATCHDOG_USEC) / 2_000;
  if (!(everyMs > 0) || Number(WATCHDOG_PID) !== process.pid) return () => {};
  const timer = setInterval(() => isAlive() && tell('WATCHDOG=1'), everyMs);
  return () => clearInterval(timer);
}
