import { withinDailyLimit } from '../schedule/daily-limit.ts';
import { maxSlots, slotsOf } from '../schedule/windows.ts';
import type { Services } from '../services.ts';
import { readDailyPushes } from './daily-pushes.ts';
import { type Decided, withoutOccurrence } from './lifecycle.ts';
import type { UserReminders } from './state.ts';

/** Skips pushes beyond the user's limit for one local date. Reads only for users who might reach the limit. */
export async function limitPushes(
  { db, now, pushesPerDay = Infinity }: Pick<Services, 'db' | 'pushesPerDay'> & { now: number },
  decided: Decided[],
  { reminders, isPage }: { reminders: UserReminders[]; isPage: boolean },
): Promise<Decided[]> {
  const candidates = decided.flatMap(({ state, push }) =>
    push?.occurrence
      ? [{ state, on: push.occurrence.on, study: state.investigation, joinedAt: state.joinedAt }]
      : [],
  );
  const [first] = candidates;
  if (!first || (!isPage && mostPushes(reminders) <= pushesPerDay)) return decided;
  const dates = [...new Set(candidates.map(({ on }) => on))];
  const tallies = await readDailyPushes({ db }, first.state.user, dates);
  const allowed = withinDailyLimit(candidates, tallies, pushesPerDay);
  const states = new Set([...allowed].map(({ state }) => state));
  return decided.map((one) =>
    one.push?.occurrence && !states.has(one.state) ? withoutOccurrence(one, now) : one,
  );
}

/** One per survey and revision of its reminders: an owner may change them many times a day. */
const mostPushes = (reminders: UserReminders[]) => {
  let most = 0;
  for (const { rule, revision, draw } of reminders)
    most += (rule?.windows ? slotsOf(rule.windows) : 1) + revision * (draw ? maxSlots : 1);
  return most;
};
