import { formatList } from '../../format.ts';
import { formatDays, readRecurrence } from './recurrence.ts';
import type { GivenReminders, Reminders } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** When reminders come, as a sentence without its full stop. */
export function describeReminders(reminders: Reminders | Omit<GivenReminders, 'notification'>): string {
  const { type, recurrence, windows, ends, delay, followUps } = reminders;
  const { describe } = strings;
  const shown =
    type !== 'triggered' && recurrence !== null && readRecurrence(recurrence, type, windows !== undefined);
  const parts = shown
    ? [
        `${daysOf(type, shown.days)} ${
          shown.time === null
            ? describe.random((windows ?? []).map((window) => ({ ...window, count: window.count ?? 1 })))
            : describe.at(shown.time)
        }`,
      ]
    : [reminders.trigger ? describe.triggered(reminders.trigger) : describe.expression(recurrence ?? '')];
  if (reminders.clock === 'study') parts.push(describe.studyClock);
  if (delay) parts.push(describe.delay(delay));
  if (ends) parts.push(describe.ends(ends));
  if (followUps) parts.push(describe.nudges(followUps.max, followUps.every));
  return parts.join(', ');
}

function daysOf(type: 'rolling' | 'fixed', days: readonly number[] | 'every'): string {
  const { describe } = strings;
  if (type === 'rolling') return days === 'every' ? describe.every : describe.weekdays(days);
  return days === 'every'
    ? describe.everyAfter
    : describe.after(formatList(formatDays(days).split(', ')), days.at(-1) ?? 0);
}
