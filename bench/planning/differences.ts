import { type Case, casesOf, count, expectedAfter, localDate } from './cases.ts';
import { type Contestant, contestants, series } from './planners.ts';
import { reminderStateOf, ruleOf } from './reminders.ts';

/** How an answer is wrong. `moved`: the right date at another instant. */
export type Fault = 'skips a date' | 'a date twice' | 'moved' | 'throws';

/** A wrong answer. Instants are ISO 8601 in UTC. */
export interface Difference {
  contestant: Contestant;
  fault: Fault;
  zone: string;
  /** The time of the daily reminder. */
  wallTime: string;
  from: string;
  /** The local date of the first instant that is wrong. */
  on: string;
  expected: string;
  answered: string;
}

/**
 * Compares daily reminders around each clock change of each zone with RFC 5545: one instant for each date, at the
 * wall time, moved forward by the gap where that does not exist, and the first where it exists twice.
 */
export function findDifferences(zones: readonly string[]): { cases: number; differences: Difference[] } {
  const cases = zones.flatMap(casesOf);
  const found: Difference[] = [];
  for (const one of cases) {
    const expected = expectedAfter(one);
    for (const contestant of contestants) {
      const difference = compare(contestant, one, expected);
      if (difference) found.push(difference);
    }
  }
  return { cases: cases.length, differences: found };
}

function compare(contestant: Contestant, one: Case, expected: number[]): Difference | null {
  const { zone, from, time } = one;
  const [hour, minute] = time.split(':').map(Number);
  const recurrence = `${minute} ${hour} * * *`;
  const describe = (at: number, answered: string, fault: Fault): Difference => ({
    contestant,
    fault,
    zone,
    wallTime: time,
    from: new Date(from).toISOString(),
    on: localDate(at, zone),
    expected: new Date(at).toISOString(),
    answered,
  });
  try {
    const answers = series[contestant](
      { recurrence, zone, from, reminderState: reminderStateOf(ruleOf(recurrence), null, zone, from) },
      count,
    );
    const wrong = expected.findIndex((at, n) => answers[n] !== at);
    if (wrong < 0) return null;
    const [right, answer] = [expected[wrong] as number, answers[wrong]];
    const shown = answer === undefined ? 'nothing' : new Date(answer).toISOString();
    return describe(right, shown, faultOf(right, answer, answers[wrong - 1], zone));
  } catch (error) {
    return describe(expected[0] as number, String(error), 'throws');
  }
}

function faultOf(right: number, answer: number | undefined, before: number | undefined, zone: string): Fault {
  if (answer === undefined) return 'skips a date';
  if (before !== undefined && localDate(before, zone) === localDate(answer, zone)) return 'a date twice';
  return localDate(answer, zone) === localDate(right, zone)
    ? 'moved'
    : answer > right
      ? 'skips a date'
      : 'a date twice';
}
