import { parseRule, type Reminders } from '../../src/schedule/rule.ts';
import { wallAt } from './clock.ts';
import { isWithin, type SettledPlace, type SlowTime, slowPosition } from './course.ts';
import type { Draw } from './draws.ts';
import { type Expectations, type Inputs, slotted } from './expected.ts';
import { slowDates } from './series.ts';

const dayMs = 86_400_000;

/** The inputs of the next occurrences of one person and one survey. */
export interface Standing extends Inputs {
  /** The person's time in the study. */
  participation: SlowTime;
  draw: Draw;
  /** Epoch ms: only what is due after it exists. */
  since: number;
  /** The newest settled occurrence of these reminders. */
  settled: SettledPlace | undefined;
  /** The dates, where the person was, on which earlier reminders were pushed. */
  reminded: readonly string[];
}

/** When the next occurrences are due, found by looking at each date in turn. */
export function nextDue(expect: Expectations, standing: Standing, count: number): number[] {
  const { given, start, since, settled, reminded, timeZone, draw, participation } = standing;
  const parsed = given && parseRule(given as unknown as Reminders);
  if (!parsed || 'issues' in parsed || parsed.rule.type === 'triggered' || start === null) return [];
  const { rule } = parsed;
  const days = Math.max(0, Math.ceil((since - Date.parse(start)) / dayMs)) + 60;
  const found: number[] = [];
  const listed = slowDates({ rule, start, draw }, days).flatMap((date) => slotted(date, given));
  const position = slowPosition(settled, given, listed);
  for (const { on, counter } of listed) {
    if (
      on <= (settled?.on ?? '') ||
      counter <= position ||
      !isWithin(participation, on) ||
      Date.parse(on.slice(0, 10)) < since - 3 * dayMs
    )
      continue;
    const dueAt = expect.due(on, standing);
    const date = wallAt(dueAt, timeZone).slice(0, 10);
    if (dueAt > since && reminded.every((earlier) => earlier < date)) found.push(dueAt);
    if (found.length === count) break;
  }
  return found;
}
