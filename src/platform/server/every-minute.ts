const minuteMs = 60_000;

/**
 * Calls `tick` at each full minute of the clock, with that minute (epoch ms). One call ends before the next begins: a
 * minute that passes meanwhile is skipped, as cron triggers do. A tick bounds its own time.
 */
export function everyMinute(now: () => number, tick: (minute: number) => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const wait = (last: number) => {
    if (stopped) return;
    timer = setTimeout(
      () => {
        const minute = Math.floor(now() / minuteMs) * minuteMs;
        // A timer may be early by a millisecond.
        running = minute === last ? Promise.resolve() : tick(minute);
        running.then(() => wait(minute));
      },
      minuteMs - (now() % minuteMs),
    );
  };

  return {
    /** Runs `first` at once, and ticks from the next minute on. */
    start(first: () => Promise<void>) {
      running = first();
      running.then(() => wait(Math.floor(now() / minuteMs) * minuteMs));
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
