import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { dayMs } from '../schedule/days.ts';
import { nextOccurrence } from '../schedule/occurrences.ts';
import { endOfDate, slotOf } from '../schedule/slots.ts';
import type { Services } from '../services.ts';
import { type Decided, withoutFollowUp } from './decide.ts';
import type { Notification } from './notification.ts';
import { finished, planned } from './plan.ts';
import { triedBefore } from './pushed.ts';
import type { UserReminders } from './state.ts';

/** Pushes of the last days, which a slice counts with its decisions: none of them is on an earlier date. */
const talliedMs = 2 * dayMs;

/** Outcomes of a study's occurrences for one user on one local date. */
interface DayTally {
  /** First pushes, nudges and snoozes. */
  pushes: number;
  /** Occurrences that are settled and were not pushed. */
  skipped: number;
}

/** The same of the surveys that all staff see, and of blinded ones. */
type Tallies = Record<'visible' | 'blinded', DayTally>;

const noTally = (): Tallies => ({
  visible: { pushes: 0, skipped: 0 },
  blinded: { pushes: 0, skipped: 0 },
});

/**
 * The count that a reminder goes by. That of a survey which all staff see would be skipped in one arm and sent in the other if blinded
 * surveys counted: only those yield.
 */
const countedFor = (count: keyof DayTally, { visible, blinded }: Tallies, isBlinded: boolean) =>
  visible[count] + (isBlinded ? blinded[count] : 0);

/** A bound of pushes, and the instant of the decision (epoch ms). */
interface Limit {
  max: number;
  now: number;
}

/** The local date of a user's occurrences in one study. */
interface PersonDay {
  user: string;
  study: string;
  on: string;
}

type Keyed = Pick<Notification, 'key'>;

/**
 * Keeps each study within its pushes to the user on a local date, and its history within as many occurrences that were
 * not pushed: all its surveys together, or those that all staff see alone, whatever blinded ones come beside them. One that is too many is skipped, and stands for the rest of its survey's date. It reads only for users
 * that might get so far. @param decided in the order of due times @param recent pushes of each user in the last days
 */
export async function limitPushes(
  { db, now, pushesPerDay: max }: Pick<Services, 'db' | 'pushesPerDay'> & { now: number },
  decided: Decided[],
  recent: ReadonlyMap<string, number>,
): Promise<Decided[]> {
  const byUser = Map.groupBy(decided, ({ state }) => state.user);
  const concerned = [...byUser].flatMap(([user, some]) => {
    const days = some.flatMap(daysOf);
    const isOld = days.some(({ on }) => Date.parse(on) < now - talliedMs);
    return isOld || (recent.get(user) ?? 0) + days.length > max
      ? some.filter(({ state }) => state.member)
      : [];
  });
  const days = new Map(concerned.flatMap(daysOf).map((day) => [keyOf(day), day]));
  if (days.size === 0) return decided;
  const read = await readDailyPushes(db, [...days.values()]);
  const tallies = new Map(
    read.map(({ blindedPushes, blindedSkipped, ...day }): [string, Tallies] => [
      keyOf(day),
      {
        visible: { pushes: day.pushes - blindedPushes, skipped: day.skipped - blindedSkipped },
        blinded: { pushes: blindedPushes, skipped: blindedSkipped },
      },
    ]),
  );
  const limited = new Map<Decided, Decided>();
  for (const one of concerned) limited.set(one, limit(one, tallies, { max, now }));
  return decided.map((one) => limited.get(one) ?? one);
}

const keyOf = ({ user, study, on }: PersonDay) => `${user} ${study} ${on}`;

const dayOf = ({ user, investigation: study }: UserReminders, { key }: Keyed): PersonDay => ({
  user,
  study,
  on: slotOf(key).on,
});

function daysOf({ state, finish, push }: Decided): PersonDay[] {
  const settled = finish.filter((row) => isSettled(row, state));
  return [...settled, ...(push && isNew(push) ? [push.notification] : [])].map((row) => dayOf(state, row));
}

/** It counts as an occurrence of the reminders as they are. */
const isSettled = ({ state, revision }: Notification, current: UserReminders) =>
  state !== 'invalidated' && revision === current.revision;

/** No try of a push that is counted already. */
const isNew = (push: NonNullable<Decided['push']>) =>
  push.occurrence !== undefined || (push.again?.send !== undefined && triedBefore(push).attempts === 0);

/** Counts what is decided, and takes out what the study has no room for. */
function limit(one: Decided, tallies: Map<string, Tallies>, { max, now }: Limit): Decided {
  const { state, push } = one;
  const tallyOf = (row: Keyed): Tallies => {
    const key = keyOf(dayOf(state, row));
    const tally = tallies.get(key) ?? noTally();
    tallies.set(key, tally);
    return tally;
  };
  const isFull = (count: keyof DayTally, row: Keyed) => countedFor(count, tallyOf(row), state.blinded) >= max;
  const add = (count: keyof DayTally, row: Keyed) => {
    tallyOf(row)[state.blinded ? 'blinded' : 'visible'][count]++;
  };
  const mayPush = push && !isFull('pushes', push.notification);
  /** The occurrences that stand for the rest of their dates. */
  const ended = new Map<string, Notification>();
  const hasEnded = ({ key }: Keyed) => ended.has(slotOf(key).on);
  const end = (row: Notification) => {
    if (!state.triggers) ended.set(slotOf(row.key).on, row);
    return finished(row, { state: 'skipped', reason: 'too-many', at: now });
  };
  const newest = one.finish.findLast((row) => isSettled(row, state));
  const finish = one.finish.flatMap((row) => {
    if (!isSettled(row, state)) return row;
    if (hasEnded(row)) return isStored(row, state) ? row : [];
    const isTooMany = row.state === 'skipped' && isFull('skipped', row);
    // The newest row stays: the next plan goes by it.
    if (isTooMany && row !== newest && !state.triggers && !isStored(row, state)) return [];
    add('skipped', row);
    return isTooMany && !(push?.occurrence && mayPush) ? end(row) : row;
  });
  const kept = { ...one, finish };
  if (!push || !isNew(push)) return replanned(kept, ended);
  if (mayPush) {
    add('pushes', push.notification);
    return replanned(kept, ended);
  }
  if (!push.occurrence) return replanned(withoutFollowUp(kept, now), ended);
  if (!hasEnded(push.notification)) finish.push(end(push.notification));
  return replanned({ ...kept, push: undefined }, ended);
}

/** The one that the cursor stands before has to be settled. */
const isStored = ({ key }: Keyed, { pending }: UserReminders) => pending?.key === key;

/** Plans the first date after those that have ended. */
function replanned(one: Decided, ended: ReadonlyMap<string, Notification>): Decided {
  const last = [...ended.keys()].sort().at(-1);
  const through = last === undefined ? undefined : ended.get(last);
  if (last === undefined || !through) return one;
  const { state } = one;
  if (!one.next || slotOf(one.next.key).on > last) return one;
  const next = nextOccurrence({ ...state, settledThrough: endOfDate(through.key) });
  return { ...one, next: next && planned(state, next) };
}

/** In SQL: how often user `u` was pushed to since then, occurrences that were not pushed included. */
export const recentPushes = sql`(select coalesce(sum(max(1, coalesce(json_array_length(t.pushes), 0))), 0) from notification t
  where t.user_id = u.id and t.due_at > :now - ${2 * talliedMs})`;

/** In SQL: how often a notification was pushed, a nudge that is being tried again included. */
const pushesOfRow = sql`iif(n.state = 'sent', 1 + (select count(*) from json_each(n.pushes) f
  where f.value ->> 'kind' <> 'first' and f.value ->> 'state' in ('sent', 'retrying')), 0)`;

/**
 * Pushes and skipped occurrences of users on these days, earlier revisions included. One round trip, by the due times of
 * the notifications, which are within two days of their dates.
 */
const readDailyPushes = (db: Database, days: readonly PersonDay[]) =>
  query<PersonDay & DayTally & Record<'blindedPushes' | 'blindedSkipped', number>>(db, tallies, {
    days: JSON.stringify(days.map((day) => ({ ...day, at: Date.parse(day.on) }))),
  });

/** Most studies have none, so that nothing is read. */
const isOfBlinded = sql`n.survey_id in (select s.id from survey s where s.investigation_id = d.value ->> 'study' and s.blinded)`;

const tallies = sql`select d.value ->> 'user' as user, d.value ->> 'study' as study, d.value ->> 'on' as "on",
    coalesce(sum(${pushesOfRow}), 0) as pushes, count(nullif(n.outcome, 'sent')) as skipped,
    coalesce(sum(iif(${isOfBlinded}, ${pushesOfRow}, 0)), 0) as blindedPushes,
    count(iif(${isOfBlinded}, nullif(n.outcome, 'sent'), null)) as blindedSkipped
  from json_each(:days) d
  left join notification n on n.user_id = d.value ->> 'user'
    and n.due_at between (d.value ->> 'at') - ${2 * dayMs} and (d.value ->> 'at') + ${3 * dayMs}
    and substr(n.occurrence, 1, 10) = d.value ->> 'on'
    and n.survey_id in (select s.id from survey s where s.investigation_id = d.value ->> 'study')
  group by 1, 2, 3`;
