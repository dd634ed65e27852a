import { timeOf } from './civil.ts';
import { clockOf, instantOf, offsetAt } from './clocks.ts';
import { isOutside, type Participation } from './course.ts';
import { dateOf, dayMs } from './days.ts';
import { issueAt, type RuleIssue } from './rule-issue.ts';
import { instantOfTrigger, responseOf, type Slot, slotOf, triggerOf } from './slots.ts';

/** The event that reminders wait for, as set. */
export interface GivenTrigger {
  /** The survey whose responses trigger them. */
  survey: string;
  /** By item: the answers of which the response gives one. Absent: any response. */
  where?: Record<string, string[]> | undefined;
  /** Minutes from the response on. */
  after: number;
  /** `HH:MM`: the first such time from then on. Absent: then. */
  at?: string | undefined;
  /** Each response gives an occurrence. False: only the person's first one. */
  each: boolean;
}

/** Triggered reminders, parsed. `at` is `HH:MM` or null. */
export interface TriggerRule {
  type: 'triggered';
  after: number;
  at: string | null;
  time: null;
  windows?: undefined;
}

/** A response that triggers an occurrence. */
export interface Trigger {
  /** Epoch ms: when it was given. */
  at: number;
  response: string;
  /** Its occurrence is settled, under these reminders or earlier ones. */
  settled: boolean;
}

/** The least minutes between surveys that trigger each other in a circle. */
export const minutesInCircle = 5;

interface Given {
  trigger?: GivenTrigger | null | undefined;
  recurrence: string | null;
  windows?: unknown;
  minGap?: unknown;
}

/** Parses the event of triggered reminders, or returns what does not go with it. */
export function parseTrigger({ trigger, ...given }: Given): { rule: TriggerRule } | { issues: RuleIssue[] } {
  const issues: RuleIssue[] = [];
  if (given.recurrence !== null)
    issues.push(issueAt('/recurrence', 'Expected null, as triggered reminders follow a response'));
  for (const name of ['windows', 'minGap'] as const)
    if (given[name] !== undefined)
      issues.push(issueAt(`/${name}`, `Unexpected: triggered reminders take no ${name}`));
  if (!trigger) issues.push(issueAt('/trigger', 'Expected the responses that trigger the reminders'));
  if (!trigger || issues.length > 0) return { issues };
  return { rule: { type: 'triggered', after: trigger.after, at: trigger.at ?? null, time: null } };
}

/**
 * When the occurrence of a response that was given at `given` is due (epoch ms): `after` minutes later, or at the first
 * `at` of the clocks from then on. Each date has one such time, by the rule of `instantOf`.
 */
export function dueAfter({ after, at }: TriggerRule, given: number, timeZone: string): number {
  const from = given + after * 60_000;
  if (at === null) return from;
  const clock = clockOf(timeZone);
  // Clocks that go forward may move the time of the day before past midnight.
  for (let day = dayAt(from, timeZone) - 1; ; day++) {
    const due = instantOf(clock, day * dayMs + timeOf(at));
    if (due >= from) return due;
  }
}

const dayAt = (at: number, timeZone: string) => Math.floor((at + offsetAt(clockOf(timeZone), at)) / dayMs);

/** The part of a state that triggered reminders add. */
export interface TriggerState {
  /** The responses that trigger, in order of time. */
  triggers?: readonly Trigger[];
  /** The occurrences of these reminders that are settled. */
  settledCount?: number;
}

interface Triggered extends TriggerState {
  timeZone: string;
  settledThrough: string | null;
  since: number;
  participation?: Participation;
}

interface Occurrence extends Slot {
  counter: number;
  dueAt: number;
}

/**
 * The first occurrence, in the order of responses, that is due strictly after `after`. Settled ones are told by their
 * responses, not by their keys: somebody who travels west, or whose phone was offline, has later occurrences with earlier
 * dates. Such keys are moved behind the newest settled one, so that keys sort as occurrences are settled.
 */
export function triggeredAfter(state: Triggered, rule: TriggerRule, after: number): Occurrence | null {
  const settled = state.settledThrough === null ? null : slotOf(state.settledThrough);
  const last = settled?.trigger === undefined ? null : responseOf(settled.trigger);
  const open = openTriggers(state, rule);
  for (let n = open.findIndex(({ response }) => response === last) + 1; n < open.length; n++) {
    const { at, response } = open[n] as Trigger;
    const dueAt = dueAfter(rule, at, state.timeZone);
    if (dueAt <= after) continue;
    const on = dateOf(dayAt(dueAt, state.timeZone));
    return { ...behind(settled, { on, at, response }), counter: (state.settledCount ?? 0) + n, dueAt };
  }
  return null;
}

/** The occurrence of a response, as it is due now; null if the response was deleted, or does not fit any more. */
export function triggeredOn(state: Triggered, rule: TriggerRule, slot: Slot): Occurrence | null {
  const { trigger = '' } = slot;
  const found = state.triggers?.find(({ response }) => response === responseOf(trigger));
  if (!found) return null;
  const counter = (state.settledCount ?? 0) + Math.max(0, openTriggers(state, rule).indexOf(found));
  return { on: slot.on, trigger, counter, dueAt: dueAfter(rule, found.at, state.timeZone) };
}

/** Whether a response was settled under another key: by a push of earlier reminders that was under way, say. */
export const isSettledBy = ({ triggers = [] }: TriggerState, { trigger }: Slot): boolean =>
  trigger !== undefined &&
  triggers.some(({ response, settled }) => settled && response === responseOf(trigger));

/** Responses with an occurrence that exists, within the time of the person, and is not settled. */
const openTriggers = ({ triggers = [], since, timeZone, participation }: Triggered, rule: TriggerRule) =>
  triggers.filter(({ at, settled }) => {
    if (settled) return false;
    const dueAt = dueAfter(rule, at, timeZone);
    return dueAt > since && !isOutside(participation, dateOf(dayAt(dueAt, timeZone)));
  });

function behind(
  settled: Slot | null,
  { on, at, response }: { on: string; at: number; response: string },
): Slot {
  if (settled === null || on > settled.on) return { on, trigger: triggerOf(at, response) };
  const last = settled.trigger === undefined ? at - 1 : instantOfTrigger(settled.trigger);
  return { on: settled.on, trigger: triggerOf(Math.max(at, last + 1), response) };
}
