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

/** The instant, or the earliest possible one if the clock of a phone that is off explains the difference. */
export const notBefore = (at: number, earliest: number): number =>
  at < earliest && at >= earliest - clockToleranceMs ? earliest : at;
