import fc from 'fast-check';
import type { Rule } from '../../src/schedule/rule.ts';
import type { Driver } from './driver.ts';
import { at, DAY, MINUTE, ruleOf } from './fixtures.ts';

export const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/Havana',
  'America/Nuuk',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const times = ['00:00', '00:30', '02:15', '02:30', '08:00', '12:00', '21:00', '23:30', '23:59'];
export const starts = ['2026-02-25', '2026-03-27', '2026-04-03', '2026-09-25', '2026-10-22', '2026-10-30'];

const fixedDays = ['* * *', '* * 0,7', '* * 0-7', '1-31 * *', '2,5,9 * *', '*/3 * *'];
const weekDays = ['*', '*', '1-5', '0,3', '6', '*/2'];
export const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.constantFrom(...fixedDays).map((days) => ruleOf('fixed', `30 2 ${days}`)),
  fc
    .record({
      days: fc.constantFrom(...weekDays),
      delay: fc.integer({ min: 0, max: 4 }),
      ends: fc.option(fc.integer({ min: 1, max: 40 })),
    })
    .map(({ days, ...rest }) => ruleOf('rolling', `0 8 * * ${days}`, rest)),
);

export type Step = { planned: boolean } & (
  | { go: 'alarm' | 'wait' | 'back' | 'pause'; minutes: number }
  | { go: 'travel'; timeZone: string }
  | { go: 'choose'; time: string | null }
  | { go: 'edit'; rule: Rule }
  | { go: 'shift'; days: number }
  | { go: 'answer' | 'resume' | 'leave' | 'join' | 'archive' | 'restore' | 'lose' | 'find' }
);

function step<G extends Step['go'], T>(weight: number, go: G, more: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return { weight, arbitrary: fc.record({ planned: fc.boolean(), go: fc.constant(go), ...more }) };
}
const upTo = (max: number) => ({ minutes: fc.integer({ min: 0, max }) });
export const steps = fc.oneof(
  step(16, 'alarm', upTo(180)),
  step(3, 'wait', upTo(1440)),
  step(2, 'wait', upTo(5 * 1440)),
  step(1, 'wait', upTo(40 * 1440)),
  step(2, 'back', upTo(2000)),
  step(2, 'pause', upTo(3000)),
  step(2, 'resume', {}),
  step(5, 'travel', { timeZone: fc.constantFrom(...zones) }),
  step(3, 'choose', { time: fc.constantFrom(null, ...times) }),
  step(2, 'edit', { rule: rules }),
  step(2, 'shift', { days: fc.integer({ min: -9, max: 9 }) }),
  step(5, 'answer', {}),
  step(1, 'leave', {}),
  step(4, 'join', {}),
  step(1, 'archive', {}),
  step(4, 'restore', {}),
  step(1, 'lose', {}),
  step(4, 'find', {}),
) as fc.Arbitrary<Step>;

/** The effect of a step on the clock or on the user's state. A change that begins something begins it now. */
export function apply(step: Step, { state, pending }: Driver): void {
  const { reminderState, now } = state;
  const change = (changes: Partial<typeof reminderState>) => {
    state.reminderState = { ...reminderState, ...changes };
  };
  if (step.go === 'alarm') state.now = Math.max(now, (pending()?.dueAt ?? now) + step.minutes * MINUTE);
  if (step.go === 'wait') state.now += step.minutes * MINUTE;
  if (step.go === 'back') state.now -= step.minutes * MINUTE;
  if (step.go === 'pause') change({ pausedUntil: now + step.minutes * MINUTE });
  if (step.go === 'resume') change({ pausedUntil: null });
  if (step.go === 'travel') change({ timeZone: step.timeZone });
  if (step.go === 'choose') change({ time: step.time });
  if (step.go === 'edit')
    change({ rule: step.rule, revision: reminderState.revision + 1, settledThrough: null, since: now });
  if (step.go === 'shift') change({ start: dateAfter(reminderState.start ?? '', step.days) });
  if (step.go === 'answer') change({ answers: [...reminderState.answers, now] });
  if (step.go === 'leave') change({ member: false });
  if (step.go === 'join' && !reminderState.member) change({ member: true, since: now });
  if (step.go === 'archive') change({ archived: true });
  if (step.go === 'restore' && reminderState.archived) change({ archived: false, since: now });
  if (step.go === 'lose') change({ reachable: false });
  if (step.go === 'find') change({ reachable: true });
}

function dateAfter(date: string, days: number): string {
  return new Date(at(date) + days * DAY).toISOString().slice(0, 10);
}
