/* Days from day 0 on as people type them: "5, 30, 60-62". Negative numbers are days before it. */

const [earliest, latest] = [-365, 3650];

/** In the order in which they are typed. Undefined: not readable. */
export function parseDays(text: string): number[] | undefined {
  const runs = text.replaceAll('−', '-').split(',').map(readRun);
  return runs.every((run) => run !== undefined) ? runs.flat() : undefined;
}

/** "60", "60-62", "-3 to -1" */
function readRun(text: string): number[] | undefined {
  const [, first, last = first] = /^\s*(-?\d{1,4})(?:\s*(?:[-–]|to)\s*(-?\d{1,4}))?\s*$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!(earliest <= from && from <= to && to <= latest)) return;
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** Three and more in a row become a range. */
export function formatDays(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs
    .flatMap((run) => (run.length < 3 ? run.map(String) : formatRun(run[0] ?? 0, run.at(-1) ?? 0)))
    .join(', ');
}

const formatRun = (first: number, last: number) => (first < 0 ? `${first} to ${last}` : `${first}-${last}`);
