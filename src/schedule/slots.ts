/** One occurrence of a date. */
export interface Slot {
  /** A date. */
  on: string;
  /** Position within the date, from 0; absent without windows, when a date has one occurrence. */
  slot?: number | undefined;
  /** Of triggered reminders: when the response was given, in 12 hexadecimal digits of ms, and its identifier. */
  trigger?: string | undefined;
}

/**
 * The name of an occurrence within a series: `2027-03-28`, with windows `2027-03-28/003`, of a response
 * `2027-03-28/019bd3a1f7c0/…`. Keys sort like the occurrences. Without windows they are dates.
 */
export const occurrenceKey = ({ on, slot, trigger }: Slot): string => {
  if (trigger !== undefined) return `${on}/${trigger}`;
  return slot === undefined ? on : `${on}/${String(slot).padStart(3, '0')}`;
};

/** The inverse of {@link occurrenceKey}. */
export function slotOf(key: string): Slot {
  const [on = '', slot, response] = key.split('/');
  if (response !== undefined) return { on, trigger: `${slot}/${response}` };
  return slot === undefined ? { on } : { on, slot: Number(slot) };
}

/** The parts of an occurrence as the API shows them; `response` is the one that triggered it. */
export function shownSlot({ on, slot, trigger }: Slot) {
  const response = trigger === undefined ? undefined : responseOf(trigger);
  return { on, ...(slot !== undefined && { slot }), ...(response && { response }) };
}

const digitsOfMs = 12;

/** The identifier of the response. */
export const responseOf = (trigger: string): string => trigger.slice(digitsOfMs + 1);

/** The instant of the trigger (epoch ms). */
export const instantOfTrigger = (trigger: string): number =>
  Number.parseInt(trigger.slice(0, digitsOfMs), 16);

/** The inverse of both. */
export const triggerOf = (at: number, response: string): string =>
  `${at.toString(16).padStart(digitsOfMs, '0')}/${response}`;

/** Behind all occurrences of the date of this key. */
export const endOfDate = (key: string): string => key.replace(/\/.*/, '/999');
