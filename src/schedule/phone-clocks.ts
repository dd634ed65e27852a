/** How far the clock of a phone may be off without its saying so. */
export const clockToleranceMs = 5 * 60_000;

/** The service's clock, and the phone's at the moment of sending, if it sent it (epoch ms). */
export interface Clocks {
  now: number;
  clock?: number | undefined;
}

/**
 * An instant of a phone by the service's clock. With the phone's own time it moves by the difference of the two, and is never in the
 * future: a phone whose clock was set back meanwhile is still one that has sent. Without it a few minutes ahead are a clock that is off.
 */
export function byServiceClock(at: number, { now, clock }: Clocks): number {
  if (clock !== undefined) return Math.min(now, at + now - clock);
  return at > now && at <= now + clockToleranceMs ? now : at;
}

/** The longest time between a phone's reading of its clock and the arrival of the request, with another try. */
const longestWayMs = 60_000;

/** The earliest time that it may have been: a clock that seems to be a moment behind may be right, and the request was on its way. */
export function earliestByServiceClock(at: number, clocks: Clocks): number {
  const { now, clock = now } = clocks;
  const moved = byServiceClock(at, clocks);
  return now - clock <= longestWayMs ? Math.min(at, moved) : moved;
}

/**
 * The instant, or the earliest possible one if it is a moment before that and the phone sent its time: the difference of the clocks is
 * known to about a second, and may drift while the phone is offline.
 */
export const notBefore = (at: number, earliest: number, { clock }: Pick<Clocks, 'clock'>): number =>
  clock !== undefined && at < earliest && at >= earliest - clockToleranceMs ? earliest : at;
