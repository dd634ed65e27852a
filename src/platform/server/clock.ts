import { withDeadline } from '../../outgoing.ts';
import type { LogEntry } from '../../services.ts';

/** Clocks of different machines differ by less than this. */
const toleranceMs = 10 * 60_000;

const hourMs = 3600_000;
const patienceMs = 5_000;

/** The clocks, in ms; `wall` since the epoch. */
export interface Clocks {
  wall: () => number;
  /** A clock that nobody sets. It may stop while the machine sleeps. */
  monotonic: () => number;
  /** Epoch ms; undefined without an answer. */
  askRelay: () => Promise<number | undefined>;
}

/**
 * Whether the machine's clock is right. Until the relay has answered, the wall clock at the start is believed; from then
 * on the relay's, which confirms the wall clock after a sleep of the machine, and refutes one that was wrong from the start.
 */
export function createClock({ wall, monotonic, askRelay }: Clocks, log: (entry: LogEntry) => void) {
  /** Milliseconds by which the true time is ahead of the monotonic clock. */
  let offset = wall() - monotonic();
  let askedAt = Number.NEGATIVE_INFINITY;
  let logged = true;

  const aheadMs = () => wall() - monotonic() - offset;
  const agrees = () => Math.abs(aheadMs()) <= toleranceMs;
  return {
    /** Cheap, and up to date. */
    agrees,
    /**
     * Asks the relay at the start, once an hour, and while the clocks disagree; logs when a disagreement begins and ends.
     */
    async check(): Promise<void> {
      if (!agrees() || monotonic() - askedAt >= hourMs) {
        const relay = await askRelay();
        if (relay !== undefined) {
          askedAt = monotonic();
          offset = relay - askedAt;
        }
      }
      if (agrees() === logged) return;
      logged = agrees();
      log(
        logged
          ? { event: 'clock.right' }
          : { event: 'clock.wrong', level: 'error', aheadSeconds: Math.round(aheadMs() / 1000) },
      );
    },
  };
}

/** The time by the `Date` header of any answer of a push service. */
export async function askTime(url: URL, timeoutMs = patienceMs): Promise<number | undefined> {
  try {
    const { headers } = await withDeadline(timeoutMs, (signal) =>
      fetch(url, { method: 'HEAD', redirect: 'manual', signal }),
    );
    const at = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch {
    return undefined;
  }
}
