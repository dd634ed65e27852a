import { type DayTally, maxNudges, pushesOfDate } from '../schedule/daily-limit.ts';
import { nextOccurrence } from '../schedule/occurrences.ts';
import { endOfDate, slotOf } from '../schedule/slots.ts';
import { maxSlots } from '../schedule/windows.ts';
import type { Services } from '../services.ts';
import { answersSinceMs } from './answers.ts';
import type { Notification } from './columns.ts';
import { readDailyPushes, type StudyDay } from './daily-pushes.ts';
import { type Decided, dueAtOf, withoutFollowUp } from './lifecycle.ts';
import { finished, planned } from './plan-changes.ts';
import { triedBefore } from './pushed.ts';
import type { UserReminders } from './state.ts';

/** A bound of pushes, and the instant of the decision (epoch ms). */
interface Limit {
  max: number;
  now: number;
}

type Keyed = Pick<Notification, 'key'>;

/**
 * Keeps each study within its pushes to the user on a local date, and its history within as many occurrences that were
 * not pushed. One that is too many is skipped, and stands for the rest of its survey's date. It reads only for studies
 * that might get so far.
 */
export async function limitPushes(
  { db, now, pushesPerDay: max }: Pick<Services, 'db' | 'pushesPerDay'> & { now: number },
  decided: Decided[],
  { reminders, isPage }: { reminders: UserReminders[]; isPage: boolean },
): Promise<Decided[]> {
  const isCrowded = isPage ? () => true : crowdedStudies(reminders, { max, now });
  const concerned = decided.filter(({ state }) => state.member && isCrowded(state.investigation));
  const days = new Map(concerned.flatMap(daysOf).map((day) => [keyOf(day), day]));
  const [first] = concerned;
  if (!first || days.size === 0) return decided;
  const read = await readDailyPushes({ db }, first.state.user, [...days.values()]);
  const tallies = new Map<string, DayTally>(read.map((tally) => [keyOf(tally), tally]));
  const limited = new Map<Decided, Decided>();
  // Earlier due times come first.
  for (const one of concerned.toSorted((a, b) => dueAtOf(a) - dueAtOf(b)))
    limited.set(one, limit(one, tallies, { max, now }));
  return decided.map((one) => limited.get(one) ?? one);
}

const keyOf = ({ study, on }: StudyDay) => `${study} ${on}`;

const dayOf = ({ investigation: study }: UserReminders, { key }: Keyed): StudyDay => ({
  study,
  on: slotOf(key).on,
});

function daysOf({ state, changes, push }: Decided): StudyDay[] {
  const settled = changes.finish.filter((row) => isSettled(row, state));
  return [...settled, ...(push && isNew(push) ? [push.notification] : [])].map((row) => dayOf(state, row));
}

/** It counts as an occurrence of the reminders as they are. */
const isSettled = ({ state, revision }: Notification, current: UserReminders) =>
  state !== 'invalidated' && revision === current.revision;

/** No try of a push that is counted already. */
const isNew = (push: NonNullable<Decided['push']>) =>
  push.occurrence !== undefined || (push.again?.send !== undefined && triedBefore(push).attempts === 0);

/** Whether the reminders of a study might push more than `max` times on one date. */
function crowdedStudies(reminders: readonly UserReminders[], { max, now }: Limit) {
  const most = new Map<string, number>();
  for (const state of reminders)
    most.set(state.investigation, (most.get(state.investigation) ?? 0) + mostPushes(state, now));
  return (study: string) => (most.get(study) ?? 0) > max;
}

/** With those of reminders that were changed lately. There is no telling how often a phone asks for one more push. */
function mostPushes(
  { rule, followUps, draw, revision, remindersSince, snoozed, triggers }: UserReminders,
  now: number,
): number {
  if (snoozed) return Infinity;
  const earlier = remindersSince > now - answersSinceMs ? revision : 0;
  const ofEach = (draw ? maxSlots : 1) * (1 + maxNudges);
  // Each response of the look may be of one date.
  const most = (rule ? pushesOfDate(rule.windows, followUps) : 0) * (triggers?.length ?? 1);
  return most + earlier * ofEach;
}

/** Counts what is decided, and takes out what the study has no room for. */
function limit(one: Decided, tallies: Map<string, DayTally>, { max, now }: Limit): Decided {
  const { state, push } = one;
  const tallyOf = (row: Keyed): DayTally => {
    const key = keyOf(dayOf(state, row));
    const tally = tallies.get(key) ?? { pushes: 0, skipped: 0 };
    tallies.set(key, tally);
    return tally;
  };
  const mayPush = push && tallyOf(push.notification).pushes < max;
  /** The occurrences that stand for the rest of their dates. */
  const ended = new Map<string, Notification>();
  const hasEnded = ({ key }: Keyed) => ended.has(slotOf(key).on);
  const end = (row: Notification) => {
    if (!state.triggers) ended.set(slotOf(row.key).on, row);
    return finished(row, { state: 'skipped', reason: 'too-many', at: now });
  };
  const newest = one.changes.finish.findLast((row) => isSettled(row, state));
  const finish = one.changes.finish.flatMap((row) => {
    if (!isSettled(row, state)) return row;
    if (hasEnded(row)) return isStored(row, state) ? row : [];
    const tally = tallyOf(row);
    const isTooMany = row.state === 'skipped' && tally.skipped >= max;
    // The newest row stays: the next plan goes by it.
    if (isTooMany && row !== newest && !state.triggers && !isStored(row, state)) return [];
    tally.skipped++;
    return isTooMany && !(push?.occurrence && mayPush) ? end(row) : row;
  });
  const kept = { ...one, changes: { ...one.changes, finish } };
  if (!push || !isNew(push)) return replanned(kept, ended);
  if (mayPush) {
    tallyOf(push.notification).pushes++;
    return replanned(kept, ended);
  }
  if (!push.occurrence) return replanned(withoutFollowUp(kept, now), ended);
  if (!hasEnded(push.notification)) finish.push(end(push.notification));
  return replanned({ state, changes: kept.changes }, ended);
}

/** A row that waits in the database has to be settled. */
const isStored = ({ key }: Keyed, { pending, superseded }: UserReminders) =>
  [pending, ...superseded].some((stored) => stored?.key === key);

/** Plans the first date after those that have ended. */
function replanned(one: Decided, ended: ReadonlyMap<string, Notification>): Decided {
  const last = [...ended.keys()].sort().at(-1);
  const through = last === undefined ? undefined : ended.get(last);
  if (last === undefined || !through) return one;
  const { state, changes } = one;
  const schedule = changes.schedule.flatMap((row) => {
    if (slotOf(row.key).on > last) return row;
    const next = nextOccurrence({ ...state, settledThrough: endOfDate(through.key) });
    return next ? planned(state, next) : [];
  });
  return { ...one, changes: { ...changes, schedule } };
}
