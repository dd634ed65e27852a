/* Crontab expressions, as far as the form shows them. The service decides whether an expression is valid. */

export type ReminderType = 'rolling' | 'fixed';

/** The meaning of an expression: days of the week (0 is Sunday), or days after the download. */
export interface Schedule {
  /** Null with windows, which have the times. */
  time: string | null;
  days: readonly number[] | 'every';
}

/** Undefined: the form cannot show it. */
export function readRecurrence(
  recurrence: string,
  type: ReminderType,
  isWindowed: boolean,
): Schedule | undefined {
  const fields = recurrence.split(' ');
  const [minute = '', hour = '', ofMonth = '', month, ofWeek = ''] = fields;
  if (fields.length !== 5 || month !== '*') return;
  const time = isWindowed ? null : timeOf(hour, minute);
  if (time === undefined || (isWindowed && (minute !== '*' || hour !== '*'))) return;
  if (ofMonth === '*' && ofWeek === '*') return { time, days: 'every' };
  if (ofMonth !== '*' && (type === 'rolling' || ofWeek !== '*')) return;
  const days = ofMonth === '*' ? readList(ofWeek, 0, 7) : readList(ofMonth, 1, 31);
  if (!days) return;
  return { time, days: type === 'rolling' ? sorted(days.map((day) => day % 7)) : days };
}

/** Undefined: the time or day is missing, or no expression has such days. */
export function writeRecurrence({ time, days }: Schedule, type: ReminderType): string | undefined {
  const clock = time === null ? '* *' : expressionTime(time);
  if (clock === undefined) return;
  if (days === 'every') return `${clock} * * *`;
  if (days.length === 0) return;
  if (type === 'rolling' || days.every((day) => day <= 7 && (day === 0 || days.includes(0))))
    return `${clock} * * ${writeList(days)}`;
  return days.includes(0) ? undefined : `${clock} ${writeList(days)} * *`;
}

/** "*", numbers, ranges and steps, in any order. */
function readList(text: string, min: number, max: number): number[] | undefined {
  const days = new Set<number>();
  for (const item of text.split(',')) {
    const [, range = '', step = '1'] =
      /^(\*|\d{1,2}-\d{1,2}|\d{1,2}(?!\/))(?:\/(\d{1,2}))?$/.exec(item) ?? [];
    const [from = Number.NaN, to = from] = range === '*' ? [min, max] : range.split('-').map(Number);
    const isSound = min <= from && from <= to && to <= max && Number(step) >= 1;
    if (range === '' || !isSound) return;
    for (let day = from; day <= to; day += Number(step)) days.add(day);
  }
  return sorted([...days]);
}

/** Three and more in a row become a range. */
function writeList(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs.flatMap((run) => (run.length < 3 ? run.map(String) : [`${run[0]}-${run.at(-1)}`])).join(',');
}

const sorted = (days: readonly number[]) => [...new Set(days)].sort((a, b) => a - b);

function timeOf(hour: string, minute: string): string | undefined {
  if (!/^\d{1,2}$/.test(hour) || !/^\d{1,2}$/.test(minute) || Number(hour) > 23 || Number(minute) > 59)
    return;
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

function expressionTime(time: string): string | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  return hour && minute ? `${Number(minute)} ${Number(hour)}` : undefined;
}
