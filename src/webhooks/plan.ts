const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits after the first, second, … call in a row that was not received; the last one repeats. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];

/** Longest failure of a receiver before its webhook is disabled. */
const patienceMs = 5 * 24 * hour;

/** The answer of a receiver that wants no more calls. */
const gone = 410;

export interface Failing {
  /** Calls in a row that were not received, before this one. */
  failures: number;
  failingSince: number | null;
}

/** The next step after a call that was not received. */
export interface AfterFailure {
  failures: number;
  failingSince: number;
  status: 'active' | 'disabled';
  /** Epoch ms. */
  nextAttemptAt: number | null;
}

/**
 * Plans the next attempt. `random` from 0 to 1 lengthens the wait by up to a fifth, so that receivers that failed together
 * are not called together. The last attempt is at the end of the five days.
 */
export function afterFailure(
  { failures, failingSince }: Failing,
  { status, now, random }: { status: number | null; now: number; random: number },
): AfterFailure {
  const since = failingSince ?? now;
  const end = since + patienceMs;
  const delay = delays[Math.min(failures, delays.length - 1)] as number;
  const isOver = status === gone || now >= end;
  return {
    failures: failures + 1,
    failingSince: since,
    status: isOver ? 'disabled' : 'active',
    nextAttemptAt: isOver ? null : Math.min(Math.round(now + delay * (1 + random / 5)), end),
  };
}
