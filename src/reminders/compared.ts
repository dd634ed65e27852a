/* Reminders before a change and after it. */

/** Occurrences of a person that are compared. */
export const compared = 3;

/** People that are computed before other work has a turn. */
export const atOnce = 75;

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
