import type { ReminderState } from '../../src/schedule/occurrences.ts';
import { parseRule, type Rule } from '../../src/schedule/rule.ts';

/** @throws RangeError when the reminders are refused */
export function ruleOf(recurrence: string): Rule {
  const parsed = parseRule({ type: 'rolling', recurrence });
  if ('issues' in parsed) throw new RangeError(parsed.issues.map(({ detail }) => detail).join('; '));
  return parsed.rule;
}

/** Long before, since the peers have no start. */
const start = '2020-01-01';

/** @param own `HH:MM`; null: the survey's time */
export const reminderStateOf = (
  rule: Rule,
  own: string | null,
  timeZone: string,
  since: number,
): ReminderState => ({
  rule,
  start,
  timeZone,
  time: own,
  since,
  settledThrough: null,
  expiresAfter: 360,
  unlessAnswered: false,
  answers: [],
  member: true,
  archived: false,
  pausedUntil: null,
  reachable: true,
});
