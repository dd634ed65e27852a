import { issueAt, type RuleIssue } from './rule-issue.ts';

/** Days from the start of fixed reminders on, 0 being its day: a list, or bursts of days in a row. */
export type GivenDays = readonly number[] | { burst?: number | undefined; every: number; times: number };

/** Day 0 of fixed reminders: that of the download, the day of joining, or a date of the person's own. */
export type GivenStart = 'download' | 'joined' | { date: string };

/** `burst` days in a row, `times` times, from burst to burst `every` days. */
export interface Bursts {
  burst: number;
  every: number;
  times: number;
}

/** Before the start. */
export const earliestDay = -365;
const lastDay = 3650;
const maxDays = 400;

/** Errors of days that never come, or come too late. */
export function checkDays(days: GivenDays, from: GivenStart): RuleIssue[] {
  if (!isList(days)) return checkBursts(days);
  if (days.length === 0 || days.length > maxDays)
    return [issueAt('/days', `Unexpected list of ${days.length} days: expected 1 to ${maxDays}`)];
  const issues = days.flatMap((day, n) =>
    Number.isInteger(day) && day >= earliestDay && day <= lastDay
      ? []
      : issueAt(
          `/days/${n}`,
          `Unexpected day '${day}': expected a whole number from ${earliestDay} to ${lastDay}`,
        ),
  );
  if (issues.length > 0 || typeof from === 'object' || days.some((day) => day >= 0)) return issues;
  const [start, never] = from === 'joined' ? ['joining', 'has joined'] : ['the download', 'has downloaded'];
  const detail = `None of the days comes, as nobody ${never} before: expected one on or after the day of ${start}, 0`;
  return [issueAt('/days', detail)];
}

function checkBursts({ burst = 1, every, times }: Exclude<GivenDays, readonly number[]>): RuleIssue[] {
  const bounds = { burst: Math.max(1, every), every: lastDay, times: lastDay + 1 };
  const issues = Object.entries({ every, times, burst }).flatMap(([name, value]) => {
    const most = Math.min(bounds[name as keyof typeof bounds], name === 'burst' ? maxDays : Infinity);
    if (Number.isInteger(value) && value >= 1 && value <= most) return [];
    const limit = name === 'burst' && most === every ? `${most}, the days from burst to burst` : most;
    return issueAt(
      `/days/${name}`,
      `Unexpected ${name} '${value}': expected a whole number from 1 to ${limit}`,
    );
  });
  if (issues.length > 0) return issues;
  const last = (times - 1) * every + burst - 1;
  const detail = `The last day would be day ${last}: expected one up to day ${lastDay}`;
  return last > lastDay ? [issueAt('/days', detail)] : [];
}

/** Of days without errors: sorted, each once. */
export function daysOf(days: GivenDays): readonly number[] | Bursts {
  if (!isList(days)) return { ...days, burst: days.burst ?? 1 };
  return [...new Set(days)].sort((a, b) => a - b);
}

const isList = (days: GivenDays): days is readonly number[] => Array.isArray(days);
