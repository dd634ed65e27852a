/* Times as people read them: a number, as typed, of minutes, hours or days. */

export const units = { minutes: 1, hours: 60, days: 1440 } as const;
export type Unit = keyof typeof units;

export interface Duration {
  amount: string;
  unit: Unit;
}

/** In the largest unit of which it is a whole number. */
export function durationOf(minutes: number): Duration {
  const isWhole = (unit: Unit) => minutes > 0 && minutes % units[unit] === 0;
  const unit = isWhole('days') ? 'days' : isWhole('hours') ? 'hours' : 'minutes';
  return { amount: String(minutes / units[unit]), unit };
}

/** "1.1 hours" are 66 minutes, whatever a computer makes of fractions. NaN: not a number. */
export const minutesIn = ({ amount, unit }: Duration): number =>
  Math.round(Number(amount) * units[unit] * 1000) / 1000;
