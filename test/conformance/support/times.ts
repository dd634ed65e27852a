/** The next full minute that leaves `leadMs` for the preparations. */
export const minuteAhead = (leadMs: number) => Math.ceil((Date.now() + leadMs) / 60_000) * 60_000;

/** The failure when the machine is too busy for the preparations to end before the minute that they are for. */
export class TooLate extends Error {}

/** @throws TooLate when `due` has come */
export function expectAhead(due: number): void {
  if (Date.now() >= due) throw new TooLate();
}

/** Attempts it for another minute when it came too late for one. */
export async function untilInTime<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TooLate)) throw error;
      console.warn('Too late for the minute: once more.');
    }
  }
}

/** The wall clock of a zone at an instant: `HH:MM`. */
export const wallTime = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    instant,
  );

export const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
