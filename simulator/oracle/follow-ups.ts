import type { GivenReminders } from '../records.ts';

import { slowMoment, wallAt } from './clock.ts';

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
  daysLater,
}: {
  pushedAt: number;
  /** Nudges that were finished by then. */
  earlier: number;
  dueAt: number;
  given: GivenReminders;
  /** The times that one may have so many days after the push. */
  daysLater: (days: number) => number[];
}): NudgeTimes[] {
  const rule = nudgeRuleOf(given);
  const left = rule === null ? 0 : rule.max - earlier;
  const times: NudgeTimes[] = [];
  for (let n = 1; rule !== null && n <= left; n++) {
    const minutes = n * rule.every;
    times.push(
      rule.every % dayMinutes === 0 ? daysLater(minutes / dayMinutes) : [pushedAt + minutes * minuteMs],
    );
  }
  return times.filter((possible) => possible.some((at) => at < expiryOf(dueAt, given)));
}

/** One time, or several where the person's zone, time or quiet hours changed. */
export type NudgeTimes = readonly number[];

const dayMinutes = 1440;
const dayMs = dayMinutes * minuteMs;

/**
 * A nudge whole days after a push: of all dates the one on which the time of day is nearest to so many days after the push,
 * by the clock of the reminders. `time` is `HH:MM`, and `ms` beyond it.
 */
export function slowDaysLater(
  days: number,
  { pushedAt, time, ms = 0, timeZone }: { pushedAt: number; time: string; ms?: number; timeZone: string },
): number {
  const wall = wallOf(pushedAt, timeZone) + days * dayMs;
  const dates = [-1, 0, 1].map((n) => new Date(wall + n * dayMs).toISOString().slice(0, 10));
  const away = (date: string) => Math.abs(Date.parse(`${date}T${time}Z`) + ms - wall);
  const nearest = dates.reduce((best, date) => (away(date) < away(best) ? date : best));
  return slowMoment(nearest, time, timeZone).at + ms;
}

const wallOf = (at: number, timeZone: string) =>
  Date.parse(`${wallAt(at, timeZone).replace(' ', 'T')}Z`) + (at % minuteMs);

/** The time of a snooze that was requested at `at`. */
export const snoozeTime = (at: number, minutes: number): number => at + minutes * minuteMs;

/** Whether an answer that belongs to no occurrence may count for one: it was given since that was due. */
export const mayAnswer = (dueAt: number, { sureNow }: { sureNow: number }): boolean => sureNow >= dueAt;
