/** A pause without an end: the latest instant that JavaScript can represent. */
export const indefinitely = 8_640_000_000_000_000;

/** The note about an occurrence that a pause skips; undefined if none does. Instants are epoch ms. */
export function pauseNote(dueAt: number, pausedUntil: number | null): string | undefined {
  if (pausedUntil === null || dueAt >= pausedUntil) return undefined;
  const end = pausedUntil === indefinitely ? '' : ` until ${new Date(pausedUntil).toISOString()}`;
  return `Paused${end}: will be skipped`;
}
