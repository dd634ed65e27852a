import type { ReminderState } from '../../src/schedule/occurrences.ts';
import { parseRule, type Reminders, type SeriesRule } from '../../src/schedule/rule.ts';

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Epoch ms of an ISO instant. */
export function at(instant: string): number {
  return Date.parse(instant);
}

export function ruleOf(
  type: Reminders['type'],
  recurrence: string,
  more: Partial<Reminders> = {},
): SeriesRule {
  const parsed = parseRule({ type, recurrence, ...more });
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  if (parsed.rule.type === 'triggered') throw new Error('Triggered reminders have no series');
  return parsed.rule;
}

/** Ada of Paris, in a study that began on 1 March 2026 and reminds every day at 08:00. */
export function adas(
  changes: Partial<ReminderState & { revision: number }> = {},
): ReminderState & { revision: number } {
  return {
    rule: ruleOf('rolling', '0 8 * * *'),
    start: '2026-03-01',
    timeZone: 'Europe/Paris',
    time: null,
    since: at('2026-02-20T12:00:00Z'),
    settledThrough: null,
    expiresAfter: 360,
    unlessAnswered: false,
    answers: [],
    member: true,
    archived: false,
    pausedUntil: null,
    reachable: true,
    revision: 1,
    ...changes,
  };
}
