const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After the full minute, so that the minute is over on every clock that takes part. */
const AFTER_MS = 1_000;

const PATIENCE_MS = 50_000;

/**
 * Fires the Cron Trigger, as `wrangler dev` does not: at once, as if a full hour had struck, and a second after every
 * full minute. `report` gets one line for each that fails.
 */
export function startCron(url: string, report: (problem: string) => void): { stop(): void } {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const tick = (unit: number) => {
    const now = Date.now();
    timer = setTimeout(tick, msToNextTick(now), MINUTE_MS);
    fireCron(url, now - (now % unit), stopped.signal).catch((error: Error) => {
      if (!stopped.signal.aborted) report(`The cron trigger failed: ${rootMessage(error)}`);
    });
  };
  // The full hour's work makes up for what the local queue held when it was stopped: it keeps nothing on disk.
  tick(HOUR_MS);
  return {
    stop: () => {
      clearTimeout(timer);
      stopped.abort();
    },
  };
}

/** How long from `now` (epoch ms) until a second after the next full minute. A timer may fire a little early. */
export function msToNextTick(now: number): number {
  const left = MINUTE_MS - ((now - AFTER_MS) % MINUTE_MS);
  return left > 100 ? left : left + MINUTE_MS;
}

/** Runs the Worker's `scheduled` as if it were `at` (epoch ms). @throws when it does not end well */
export async function fireCron(url: string, at: number, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ cron: '* * * * *', time: String(at), format: 'json' });
  const response = await fetch(`${url}/cdn-cgi/local/scheduled?${query}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  const answer = await response.text();
  const { outcome } = response.ok ? JSON.parse(answer) : { outcome: `status ${response.status}` };
  if (outcome !== 'ok') throw new Error(`outcome ${outcome}`);
}

const rootMessage = (error: Error): string =>
  error.cause instanceof Error ? rootMessage(error.cause) : error.message;
