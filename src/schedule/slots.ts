/** One occurrence of a date. */
export interface Slot {
  /** A date. */
  on: string;
  /** Position within the date, from 0; absent without windows, when a date has one occurrence. */
  slot?: number | undefined;
}

/**
 * The name of an occurrence within a series: `2027-03-28`, with windows `2027-03-28/003`. Keys sort like the occurrences.
 * Without windows they are dates.
 */
export const occurrenceKey = ({ on, slot }: Slot): string =>
  slot === undefined ? on : `${on}/${String(slot).padStart(3, '0')}`;

/** The inverse of {@link occurrenceKey}. */
export function slotOf(key: string): Slot {
  const [on = '', slot] = key.split('/');
  return slot === undefined ? { on } : { on, slot: Number(slot) };
}

/** Behind all occurrences of the date of this key. */
export const endOfDate = (key: string): string => key.replace(/\/.*/, '/999');
