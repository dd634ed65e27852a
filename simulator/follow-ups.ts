import { leaseMs } from '../src/reminders/claim.ts';
import { type DaysLater, timesOfDays } from './day-nudges.ts';
import { type Facts, givenOf, occurrenceId, type Pair } from './facts.ts';
import {
  expiryOf,
  type NudgeRule,
  type NudgeTimes,
  nudgeRuleOf,
  nudgeTimes,
  snoozeTime,
} from './oracle/follow-ups.ts';
import type { Accepted } from './push.ts';
import type { GivenReminders, Snooze } from './records.ts';
import type { FollowUpRow, Row } from './tables.ts';
import type { Task } from './world.ts';

/** An occurrence that was sent, and its possible follow-ups. Instants are epoch ms by the server's clock. */
export interface Followed extends Pair {
  row: Row & { settledAt: number };
  given: GivenReminders;
  rule: NudgeRule | null;
  expiresAt: number;
  rounds: Round[];
  /** The times of all rounds, each of them if there may be several. */
  nudges: number[];
  /** Those that are certain: nothing changed them. */
  owed: number[];
  /** Follow-ups that may have been accepted. */
  snoozes: SnoozeTime[];
  /** In their order. */
  pushes: Accepted[];
  /** By occurrence: when its push was tried first. */
  tried: ReadonlyMap<string, number>;
}

/** The nudges after the first push, or after a snooze, up to the next one. */
export interface Round {
  /** The place of the snooze in the history; of the first push -1. */
  after: number;
  times: NudgeTimes[];
}

/** When a snooze comes: between two instants if its answer was lost. */
export interface SnoozeTime {
  from: number;
  until: number;
  asked: Snooze;
}

export function findFollowed(facts: Facts): Followed[] {
  const pushes = new Map<string, Accepted[]>();
  for (const push of facts.run.relay.accepted)
    pushes.set(push.collapseId, [...(pushes.get(push.collapseId) ?? []), push]);
  return facts.pairs.flatMap((pair) =>
    pair.rows.flatMap((row) => {
      const { settledAt } = row;
      if (settledAt === null || row.state !== 'sent') return [];
      const given = givenOf(pair, row);
      const id = occurrenceId(row);
      const rounds = roundsOf({ ...row, settledAt }, given, timesOfDays(facts, pair, row, given));
      const found: Followed = {
        ...pair,
        row: { ...row, settledAt },
        given,
        rule: nudgeRuleOf(given),
        expiresAt: expiryOf(row.dueAt, given),
        rounds,
        nudges: rounds.flatMap(({ times }) => times.flat()),
        owed: rounds.flatMap(({ times }) => times.flatMap((one) => (one.length === 1 ? one : []))),
        snoozes: pair.member.snoozes.flatMap((asked) => (asked.notification === id ? timesOf(asked) : [])),
        pushes: pushes.get(id) ?? [],
        tried: facts.run.relay.tried,
      };
      return [found];
    }),
  );
}

function roundsOf(
  { dueAt, settledAt, followUps }: Followed['row'],
  given: GivenReminders,
  daysLater: DaysLater,
): Round[] {
  const pushes = followUps.flatMap((entry, after) => {
    const pushedAt = entry.kind === 'snooze' ? pushedOf(entry) : null;
    if (pushedAt === null) return [];
    return [{ after, pushedAt, earlier: followUps.slice(0, after).filter(isNudge).length }];
  });
  return [{ after: -1, pushedAt: settledAt, earlier: 0 }, ...pushes].map(({ after, ...push }, n) => {
    const end = pushes[n]?.pushedAt ?? Number.POSITIVE_INFINITY;
    const times = nudgeTimes({ ...push, dueAt, given, daysLater: daysLater(push.pushedAt) });
    return { after, times: times.filter((possible) => possible.some((at) => at < end)) };
  });
}

const isNudge = ({ kind }: FollowUpRow) => kind === 'nudge';

/** When the first phone got it, or it was certain that none will; null: still retried. */
export function pushedOf({ state, at, deliveries = [] }: FollowUpRow): number | null {
  const reached = deliveries.filter(({ messageId }) => messageId).map((one) => Date.parse(one.at));
  if (reached.length > 0) return Math.min(...reached);
  return state === 'retrying' ? null : Date.parse(at);
}

function timesOf(asked: Snooze): SnoozeTime[] {
  if (asked.refused !== undefined) return [];
  const { nextAt, minutes, fromNow, sureNow } = asked;
  if (nextAt !== undefined) return [{ from: nextAt, until: nextAt, asked }];
  return [{ from: snoozeTime(fromNow, minutes), until: snoozeTime(sureNow, minutes), asked }];
}

/**
 * It may be repeated, once, from then on: its sender died before the record or was never told of the success, or there was
 * no record because the database refused it. Without `next`, at the end of the run.
 */
export const isExcused = ({ task, told, at }: Accepted, next?: Accepted): boolean =>
  !told || task === undefined || task.dead || isUnrecorded(task, at, next?.runSince);

function isUnrecorded({ records }: Task, pushedAt: number, by = Number.POSITIVE_INFINITY): boolean {
  const tries = records.filter(({ at }) => pushedAt <= at);
  const takenAt = tries.find(({ taken }) => taken)?.at ?? Number.POSITIVE_INFINITY;
  const isLate = takenAt > by && by >= pushedAt + leaseMs;
  return takenAt >= by && (isLate || tries.some(({ taken }) => !taken));
}

/** The run of the simulator ended between the push and its record. */
export const isUnderWay = ({ task }: Accepted): boolean => task !== undefined && !task.over;

/** Whether a push is not the first of its occurrence. */
export function isFollowUp({ row }: Followed, { messageId, runNow }: Accepted): boolean {
  const has = (deliveries: Row['deliveries'] = []) => deliveries.some((one) => one.messageId === messageId);
  if (row.followUps.some(({ deliveries }) => has(deliveries))) return true;
  return !has(row.deliveries) && runNow > row.settledAt;
}

/** The nudges and snoozes that a push may belong to: those due since the last one that its phone surely got. */
export function reasonsFor(
  { nudges, snoozes, pushes }: Followed,
  push: Accepted,
): { nudges: number[]; snoozes: SnoozeTime[] } {
  const earlier = pushes.slice(0, pushes.indexOf(push)).filter(({ token }) => token === push.token);
  const since = earlier.findLast((one) => !isExcused(one))?.runNow ?? Number.NEGATIVE_INFINITY;
  return {
    nudges: nudges.filter((at) => since < at && at <= push.now),
    snoozes: snoozes.filter(({ from, until }) => since < until && from <= push.now),
  };
}
