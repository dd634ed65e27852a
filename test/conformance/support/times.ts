/** The next full minute that leaves `leadMs` for the preparations. */
export const minuteAhead = (leadMs: number) => Math.ceil((Date.now() + leadMs) / 60_000) * 60_000;

/** The wall clock of a zone at an instant: `HH:MM`. */
export const wallTime = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    instant,
  );

export const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
