import { withDeadline } from '../../outgoing.ts';
import type { LogEntry } from '../../services.ts';

/** Clocks of different machines differ by less than this. */
const toleranceMs = 10 * 60_000;

const hourMs = 3600_000;
const patienceMs = 5_000;

/** The clocks at one moment, in ms. `wall` and `relay` (if asked) since the epoch. */
export interface Readings {
  wall: number;
  /** A clock that nobody sets. It may stop while the machine sleeps. */
  monotonic: number;
  relay?: number | undefined;
}

/**
 * The difference between the wall clock and the true time, which is `offset` ms ahead of the monotonic clock. The relay's
 * clock, if asked, sets the offset anew: after a sleep of the machine it confirms the wall clock, and a clock that was
 * wrong from the start it refutes.
 */
export function compareClocks(offset: number, { wall, monotonic, relay }: Readings) {
  const known = relay === undefined ? offset : relay - monotonic;
  const aheadMs = wall - monotonic - known;
  return { offset: known, aheadMs, agrees: Math.abs(aheadMs) <= toleranceMs };
}

export interface Clocks {
  wall: () => number;
  monotonic: () => number;
  /** Epoch ms; undefined without an answer. */
  askRelay: () => Promise<number | undefined>;
}

/** Whether the machine's clock is right. Until the relay has answered, the wall clock at the start is believed. */
export function createClock({ wall, monotonic, askRelay }: Clocks, log: (entry: LogEntry) => void) {
  let offset = wall() - monotonic();
  let askedAt = Number.NEGATIVE_INFINITY;
  let logged = true;

  const compare = (relay?: number) => {
    const found = compareClocks(offset, { wall: wall(), monotonic: monotonic(), relay });
    offset = found.offset;
    return found;
  };
  return {
    /** Cheap, and up to date. */
    agrees: () => compare().agrees,
    /**
     * Asks the relay at the start, once an hour, and while the clocks disagree; logs when a disagreement begins and ends.
     */
    async check(): Promise<void> {
      if (!compare().agrees || monotonic() - askedAt >= hourMs) {
        const relay = await askRelay();
        if (relay !== undefined) askedAt = monotonic();
        compare(relay);
      }
      const { agrees, aheadMs } = compare();
      if (agrees === logged) return;
      logged = agrees;
      log(
        agrees
          ? { event: 'clock.right' }
          : { event: 'clock.wrong', level: 'error', aheadSeconds: Math.round(aheadMs / 1000) },
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
