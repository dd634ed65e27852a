import { formatList } from '../../format.ts';
import { formatDays } from './day-lists.ts';
import { units } from './durations.ts';
import { readRecurrence } from './recurrence.ts';
import type { GivenReminders, Reminders } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

type Described = Reminders | Omit<GivenReminders, 'notification'>;

/** When reminders come, as a sentence without its full stop. */
export function describeReminders(reminders: Described): string {
  const { type, recurrence, windows, ends, delay, followUps, expiresAfter = 0 } = reminders;
  const { describe } = strings;
  const shown =
    type !== 'triggered' && recurrence !== null && readRecurrence(recurrence, type, windows !== undefined);
  const parts = shown
    ? [
        `${daysOf(reminders, shown.days)} ${
          shown.time === null
            ? describe.random((windows ?? []).map((window) => ({ ...window, count: window.count ?? 1 })))
            : describe.at(shown.time)
        }`,
      ]
    : [reminders.trigger ? describe.triggered(reminders.trigger) : describe.expression(recurrence ?? '')];
  if (reminders.clock === 'study') parts.push(describe.studyClock);
  if (delay) parts.push(describe.delay(delay));
  if (ends) parts.push(describe.ends(ends));
  if (expiresAfter > units.days) parts.push(describe.open(expiresAfter));
  if (followUps) parts.push(describe.nudges(followUps.max, followUps.every));
  return parts.join(', ');
}

/** Day 0 in words: "the download". */
export const anchorOf = (from: GivenReminders['from'] = 'download'): string =>
  typeof from === 'object' ? from.date : strings.describe.anchors[from];

function daysOf({ type, from, days, pick }: Described, listed: readonly number[] | 'every'): string {
  const { describe } = strings;
  const weekdays = () => (listed === 'every' ? undefined : describe.weekdays(listed));
  if (type === 'rolling') return pick ? describe.picked(pick, weekdays()) : (weekdays() ?? describe.every);
  const anchor = anchorOf(from);
  const given = days ?? listed;
  if (given === 'every') return describe.everyAfter(anchor);
  return 'times' in given ? describe.repeated(given, anchor) : relativeDays(given, anchor);
}

/** "7 days before and 5, 30 and 60 days after surgery" */
function relativeDays(days: readonly number[], anchor: string): string {
  const { describe } = strings;
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  const [before, after] = [sorted.filter((day) => day < 0), sorted.filter((day) => day > 0)];
  const parts = [
    before.length > 0 && describe.before(listOf(before.map((day) => -day).reverse()), before.join() === '-1'),
    sorted.includes(0) && describe.onDay,
    after.length > 0 && describe.after(listOf(after), after.join() === '1'),
  ].filter((part) => typeof part === 'string');
  return `${capitalized(formatList(parts))} ${anchor}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const listOf = (days: readonly number[]) => formatList(formatDays(days).split(', '));
