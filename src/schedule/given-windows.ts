import { timeOf } from './civil.ts';
import { issueAt, type RuleIssue } from './rule-issue.ts';
import { findOverfull, type Window, type Windows } from './windows.ts';

/** A window in a survey's reminders: wall times, `HH:MM`. */
export interface GivenWindow {
  from: string;
  to: string;
  /** Absent: 1. */
  count?: number | undefined;
}

export interface GivenWindows {
  windows?: readonly GivenWindow[] | undefined;
  /** Minutes. */
  minGap?: number | undefined;
}

const defaultGap = 30;

/** Does not report errors: see {@link checkWindows}. Null: there are none. */
export const windowsOf = ({ windows, minGap = defaultGap }: GivenWindows): Windows | null =>
  windows ? { list: windows.map(toWindow), gap: Math.max(1, minGap) } : null;

const minuteOf = (time: string) => timeOf(time) / 60_000;

const toWindow = ({ from, to, count = 1 }: GivenWindow): Window => ({
  from: minuteOf(from),
  to: minuteOf(to),
  count,
});

/** The way to a window that somebody meant to last over midnight. */
const overMidnight = ({ from, to }: GivenWindow) =>
  from === to || to === '00:00'
    ? ''
    : `. Over midnight give two windows, in the order of the day: 00:00 to ${to}, and ${from} to 24:00`;

/** Errors of windows that run backwards, overlap, or cannot hold their count. */
export function checkWindows({ windows, minGap: given }: GivenWindows): RuleIssue[] {
  if (!windows)
    return given === undefined
      ? []
      : [issueAt('/minGap', `Unexpected minGap '${given}': expected windows beside it`)];
  const minGap = given ?? defaultGap;
  const issues = windows.flatMap(({ from, to }, n) => {
    const before = windows[n - 1];
    const later = `24:00 at the latest${overMidnight({ from, to })}`;
    if (minuteOf(from) >= minuteOf(to))
      return issueAt(`/windows/${n}/to`, `Unexpected end '${to}': expected a time after ${from}, ${later}`);
    const start = `expected ${before?.to} or later, when the window before it ends`;
    return before && minuteOf(from) < minuteOf(before.to)
      ? issueAt(`/windows/${n}/from`, `Unexpected start '${from}': ${start}`)
      : [];
  });
  if (issues.length > 0) return issues;
  const gap = Math.max(1, minGap);
  const overfull = findOverfull({ list: windows.map(toWindow), gap });
  const full = windows[overfull];
  if (!full) return [];
  const detail =
    `Too large count '${full.count ?? 1}': expected as many as fit between ${full.from} and ${full.to} ` +
    `with ${gap} minutes between any two of a date`;
  return [issueAt(`/windows/${overfull}/count`, detail)];
}
