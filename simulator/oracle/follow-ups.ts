import type { GivenReminders } from '../records.ts';

/*
 * The possible follow-ups of a push, by decisions 14 and 15 alone: nothing here is the application's. Instants are epoch
 * ms by the server's clock.
 */

const minuteMs = 60_000;

/** Nudges as set in the reminders. */
export interface NudgeRule {
  every: number;
  max: number;
  stop: 'answered' | 'opened';
}

export function nudgeRuleOf(given: GivenReminders): NudgeRule | null {
  const rule = given?.followUps as Partial<NudgeRule> | null | undefined;
  if (!rule) return null;
  return { every: Number(rule.every), max: Number(rule.max), stop: rule.stop ?? 'answered' };
}

/** An occurrence is not sent any more from then on. */
export const expiryOf = (dueAt: number, given: GivenReminders): number =>
  dueAt + Number(given?.expiresAfter ?? 360) * minuteMs;

/**
 * When nudges follow a push, the first or a snooze: `every` minutes after it and after each other, as many as are left,
 * before the occurrence expires.
 */
export function nudgeTimes({
  pushedAt,
  earlier,
  dueAt,
  given,
}: {
  pushedAt: number;
  /** Nudges that were finished by then. */
  earlier: number;
  dueAt: number;
  given: GivenReminders;
}): number[] {
  const rule = nudgeRuleOf(given);
  const left = rule === null ? 0 : rule.max - earlier;
  const times: number[] = [];
  for (let n = 1; rule !== null && n <= left; n++) times.push(pushedAt + n * rule.every * minuteMs);
  return times.filter((at) => at < expiryOf(dueAt, given));
}

/** The time of a snooze that was requested at `at`. */
export const snoozeTime = (at: number, minutes: number): number => at + minutes * minuteMs;

/** Whether an answer that belongs to no occurrence may count for one: it was given since that was due. */
export const mayAnswer = (dueAt: number, { sureNow }: { sureNow: number }): boolean => sureNow >= dueAt;
