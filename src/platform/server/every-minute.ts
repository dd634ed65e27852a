const minuteMs = 60_000;

/** The longest time for which the work of a minute may be under way. Each of its calls ends by a timer of its own, far earlier. */
const patienceMs = 10 * minuteMs;

/**
 * Calls `tick` at each full minute of the clock, with that minute (epoch ms). One call ends before the next begins: a
 * minute that passes meanwhile is skipped, as cron triggers do. A tick bounds its own time. @param monotonic a clock that
 * nobody sets, in ms
 */
export function everyMinute(
  now: () => number,
  tick: (minute: number) => Promise<void>,
  monotonic: () => number = () => performance.now(),
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let endedAt = monotonic();

  const run = (work: Promise<void>, minute: number) => {
    running = work;
    work.then(() => {
      endedAt = monotonic();
      wait(minute);
    });
  };

  const wait = (last: number) => {
    if (stopped) return;
    timer = setTimeout(
      () => {
        const minute = Math.floor(now() / minuteMs) * minuteMs;
        // A timer may be early by a millisecond.
        run(minute === last ? Promise.resolve() : tick(minute), minute);
      },
      minuteMs - (now() % minuteMs),
    );
  };

  return {
    /** Runs `first` at once, and ticks from the next minute on. */
    start(first: () => Promise<void>) {
      run(first(), Math.floor(now() / minuteMs) * minuteMs);
    },
    /** Whether the work of a minute has ended lately: if not, it never will, and only a new process helps. */
    isAlive: () => monotonic() - endedAt < patienceMs,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
