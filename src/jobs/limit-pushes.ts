import { readDailyPushes } from '../model/reminders/daily-pushes.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import { withinDailyLimit } from '../schedule/daily-limit.ts';
import { maxSlots, slotsOf } from '../schedule/windows.ts';
import type { Services } from '../services.ts';
import { type Decided, skipped } from './survey-decision.ts';

/** Skips what is more than the user may get on one local date. It reads only for users who might get so many. */
export async function limitPushes(
  { db, now, pushesPerDay = Infinity }: Pick<Services, 'db' | 'pushesPerDay'> & { now: number },
  decided: Decided[],
  { reminders, crowded }: { reminders: UserReminders[]; crowded: boolean },
): Promise<Decided[]> {
  const candidates = decided.flatMap(({ state, sending }) =>
    sending ? [{ state, on: sending.on, study: state.investigation, joinedAt: state.joinedAt }] : [],
  );
  const [first] = candidates;
  if (!first || (!crowded && mostPushes(reminders) <= pushesPerDay)) return decided;
  const dates = [...new Set(candidates.map(({ on }) => on))];
  const tallies = await readDailyPushes({ db }, first.state.user, dates);
  const allowed = withinDailyLimit(candidates, tallies, pushesPerDay);
  const states = new Set([...allowed].map(({ state }) => state));
  return decided.map((one) => (one.sending && !states.has(one.state) ? tooMany(one, now) : one));
}

/** For each survey and revision of its reminders: an owner may change them many times a day. */
const mostPushes = (reminders: UserReminders[]) => {
  let most = 0;
  for (const { rule, revision, draw } of reminders)
    most += (rule?.windows ? slotsOf(rule.windows) : 1) + revision * (draw ? maxSlots : 1);
  return most;
};

function tooMany({ state, changes, sending }: Decided, now: number): Decided {
  if (!sending) return { state, changes };
  const notification = skipped(state, { ...sending, verdict: 'skip', reason: 'too-many' }, now);
  return { state, changes: { ...changes, finish: [...changes.finish, notification] } };
}
