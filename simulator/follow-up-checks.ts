import {
  belongingOf,
  clockMoves,
  type Facts,
  isInTime,
  isStillListed,
  possibleSettings,
  stamp,
} from './facts.ts';
import { decidingMs, findWrongHistories } from './follow-up-history.ts';
import { type Followed, findFollowed, isExcused, isFollowUp, isUnderWay, reasonsFor } from './follow-ups.ts';
import type { Accepted } from './push.ts';
import { responseOfKey } from './triggered-checks.ts';

/** Checks of nudges and snoozes: their pushes, and their records in the history (decision 14). */
export function findWrongFollowUps(facts: Facts): string[] {
  return findFollowed(facts).flatMap((followed) => {
    const { member, survey, row } = followed;
    const label = `${member.name}, ${survey.name}, ${row.on}`;
    return [
      ...findTooMany(followed),
      ...findHeldBack(facts, followed),
      ...findUnasked(facts, followed),
      ...findForbidden(facts, followed),
      ...findUnrecorded(followed),
      ...findWrongHistories(facts, followed),
    ].map((fault) => `${label}: ${fault}`);
  });
}

/** A phone gets an occurrence once, and once more for each nudge and each snooze. */
function findTooMany({ rule, snoozes, pushes }: Followed): string[] {
  const most = 1 + (rule?.max ?? 0) + snoozes.length;
  const counts = new Map<string, number>();
  for (const push of pushes) if (!isExcused(push)) counts.set(push.token, (counts.get(push.token) ?? 0) + 1);
  return [...counts].flatMap(([token, count]) =>
    count > most ? [`${token} got ${count} pushes, and ${most} at most were to come`] : [],
  );
}

/** An occurrence is sent once the first phone has it: follow-ups and the next occurrence wait for no other phone. */
function findHeldBack(facts: Facts, { row, pushes }: Followed): string[] {
  const first = pushes.find((push) => !isExcused(push));
  if (clockMoves(facts) || !first || row.settledAt - first.now <= decidingMs) return [];
  return [`reached a phone at ${stamp(first.at)}, and is said to be sent at ${stamp(row.settledAt)}`];
}

/** Two pushes never come for one nudge or snooze, nor for several that were missed. */
function findUnasked(facts: Facts, followed: Followed): string[] {
  // The clock may have shown the time of a nudge twice.
  if (clockMoves(facts)) return [];
  const { pushes } = followed;
  return pushes.flatMap((push, n) => {
    const before = pushes.slice(0, n).findLast(({ token }) => token === push.token);
    if (!before || isExcused(before)) return [];
    const reasons = reasonsFor(followed, push);
    if (reasons.nudges.length + reasons.snoozes.length > 0) return [];
    return [`${push.token} got it twice: ${stamp(before.at)} and ${stamp(push.at)}`];
  });
}

/**
 * Nothing is pushed that the state of the moment forbids, as the people who made that state know it. Push-checks cover
 * the rest.
 */
function findForbidden(facts: Facts, followed: Followed): string[] {
  return followed.pushes
    .filter((push) => isFollowUp(followed, push))
    .flatMap((push) =>
      faultsOf(facts, followed, push).map((fault) => `pushed again ${stamp(push.at)}: ${fault}`),
    );
}

function faultsOf(facts: Facts, followed: Followed, push: Accepted): string[] {
  const { member, survey, rule, expiresAt } = followed;
  const { nudges, snoozes } = reasonsFor(followed, push);
  const faults: string[] = [];
  const decidedBy = ({ sure }: { sure: number }) => sure <= push.runSince;
  if (Math.min(push.runNow, push.now) >= expiresAt) faults.push('expired');
  if (
    member.answers.some(
      (answer) =>
        answer.survey === survey.id &&
        decidedBy(answer) &&
        belongingOf(facts, answer.id) === push.collapseId &&
        !answer.deleted.possible(push.runSince, push.at).includes(true),
    )
  )
    faults.push('answered');
  const opened = member.opens.some(
    (one) => one.notification === push.collapseId && decidedBy(one) && one.fromNow <= push.runNow,
  );
  if (rule?.stop === 'opened' && opened && snoozes.length === 0) faults.push('opened');
  const settings = possibleSettings(facts, member, push.runSince, push.at);
  const isTriggered = responseOfKey(followed.row.on) !== undefined;
  if (followed.stored && !isTriggered && settings.every((one) => !isStillListed(facts, followed, one)))
    faults.push('not listed any more');
  if (followed.stored && settings.every((one) => !isInTime(followed, one, followed.row.on)))
    faults.push('outside of their time');
  const times = [...nudges, ...snoozes.map(({ until }) => until)];
  const paused = [member.pausedUntil, member.studyPausedUntil].some((pause) =>
    pause
      .possible(push.runSince, push.at)
      .every((until) => until !== null && times.every((time) => time < until)),
  );
  if (times.length > 0 && paused) faults.push('paused');
  return faults;
}

/** The history has each push. */
function findUnrecorded({ row, pushes }: Followed): string[] {
  const deliveries = [...row.deliveries, ...row.followUps.flatMap((one) => one.deliveries ?? [])];
  const recorded = new Set(deliveries.map(({ messageId }) => messageId));
  return (
    pushes
      .filter((push) => !isExcused(push) && !isUnderWay(push) && !recorded.has(push.messageId))
      // A change of the plan settled it during a push to another phone.
      .filter((push) => row.settledAt < push.runNow || push.now <= row.settledAt)
      .map((push) => `${push.token} got a push at ${stamp(push.at)} that its history does not have`)
  );
}
