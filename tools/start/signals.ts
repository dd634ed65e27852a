/** A terminal sends Ctrl-C to npm and to us, and npm passes it on. Within this time it is the same one. */
const sameSignalMs = 1_000;
const parentPollMs = 500;

/**
 * Returns a signal that aborts at the first Ctrl-C or SIGTERM, when the terminal closes, and when npm is gone, which
 * cannot pass on the signal that killed it. A second Ctrl-C calls `force`.
 */
export function watchSignals(force: () => void): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) firstAt = Date.now();
    else if (Date.now() - firstAt > sameSignalMs) force();
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid !== parent && stop.abort(), parentPollMs).unref();
  return stop.signal;
}
