/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;

const PARENT_POLL_MS = 500;

/**
 * The first Ctrl-C, SIGTERM or closed terminal aborts the answer; a second one calls `force`. So does the end of npm,
 * which cannot pass on a signal that killed it.
 */
export function watchSignals(force: () => void): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) firstAt = Date.now();
    else if (Date.now() - firstAt > SAME_SIGNAL_MS) force();
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid !== parent && stop.abort(), PARENT_POLL_MS).unref();
  return stop.signal;
}
