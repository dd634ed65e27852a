const minuteMs = 60_000;

/** Delay after the full minute, so that the minute is over on every clock involved. */
const delayMs = 1_000;
const timeoutMs = 50_000;

/**
 * Fires the Cron Trigger, which `wrangler dev` does not: at once, and a second after every full minute. `report` gets a line
 * for each failure. The first one of an hour does the hourly work too.
 */
export function startCron(url: string, report: (problem: string) => void): { stop(): void } {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const tick = () => {
    const now = Date.now();
    timer = setTimeout(tick, msToNextTick(now));
    fireCron(url, now - (now % minuteMs), stopped.signal).catch((error: Error) => {
      if (!stopped.signal.aborted) report(`The cron trigger failed: ${rootMessage(error)}`);
    });
  };
  tick();
  return {
    stop: () => {
      clearTimeout(timer);
      stopped.abort();
    },
  };
}

/** Ms from `now` (epoch ms) to a second after the next full minute. A timer may fire a little early. */
export function msToNextTick(now: number): number {
  const left = minuteMs - ((now - delayMs) % minuteMs);
  return left > 100 ? left : left + minuteMs;
}

/** Runs the Worker's `scheduled` as of `at` (epoch ms). @throws when it fails */
export async function fireCron(url: string, at: number, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ cron: '* * * * *', time: String(at), format: 'json' });
  const response = await fetch(`${url}/cdn-cgi/local/scheduled?${query}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const answer = await response.text();
  const { outcome } = response.ok ? JSON.parse(answer) : { outcome: `status ${response.status}` };
  if (outcome !== 'ok') throw new Error(`outcome ${outcome}`);
}

const rootMessage = (error: Error): string =>
  error.cause instanceof Error ? rootMessage(error.cause) : error.message;
