/*
 * The time of a person in a study, by its own words: their own first and last day; without a last day of their own, as
 * many days as the study says, counted from joining, or from their own first day if that is later.
 */

const dayMs = 86_400_000;

/** Dates, both included; null: no bound. */
export interface SlowTime {
  from: string | null;
  until: string | null;
}

/** A person's own bounds, as they are set. */
export type GivenTime = { from?: string | undefined; until?: string | undefined } | null;

export function slowTime({
  joinedOn,
  own,
  days,
}: {
  joinedOn: string | null;
  own: GivenTime;
  days: number | null;
}): SlowTime {
  const from = own?.from ?? null;
  if (own?.until !== undefined) return { from, until: own.until };
  if (days === null || joinedOn === null) return { from, until: null };
  const first = from === null || from < joinedOn ? joinedOn : from;
  return { from, until: new Date(Date.parse(first) + (days - 1) * dayMs).toISOString().slice(0, 10) };
}

/** Whether an occurrence, by its date, with or without a slot, is within the time. */
export const isWithin = ({ from, until }: SlowTime, on: string): boolean => {
  const date = on.slice(0, 10);
  return (from === null || from <= date) && (until === null || date <= until);
};

/** The day 0 of reminders that count days, from the dates of one person. */
export function slowStart(
  from: unknown,
  {
    downloadedOn,
    joinedOn,
    dates,
  }: { downloadedOn: string | null; joinedOn: string | null; dates: Readonly<Record<string, string>> },
): string | null {
  if (from === 'joined') return joinedOn;
  if (typeof from === 'object' && from !== null) return dates[(from as { date: string }).date] ?? null;
  return downloadedOn;
}

interface Place {
  on: string;
  counter: number;
}

/** An occurrence that is settled. */
export interface SettledPlace extends Place {
  state: string | null;
  reason: string | null;
}

/**
 * The last position that came, though the person's date was corrected since, by less than it is open: it comes no more, and those before it
 * neither; -1 if there is none.
 */
export function slowPosition(
  last: SettledPlace | undefined,
  { from, expiresAfter }: { from?: unknown; expiresAfter?: unknown },
  listed: readonly Place[],
): number {
  if (!last || (last.state !== 'sent' && last.reason !== 'answered')) return -1;
  if (typeof from !== 'object' || from === null) return -1;
  const now = listed.find(({ counter }) => counter === last.counter);
  if (!now) return -1;
  const [before, after] = [last.on, now.on].map((on) => Date.parse(on.slice(0, 10))) as [number, number];
  return Math.abs(after - before) < Number(expiresAfter) * 60_000 ? last.counter : -1;
}
