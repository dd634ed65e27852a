import { findMisplacedAnswers } from './answer-checks.ts';
import { findWrongCompliance } from './compliance-checks.ts';
import type { Finished } from './context.ts';
import { findWrongCourses } from './course-checks.ts';
import {
  clockMoves,
  type Facts,
  factsOf,
  isInTime,
  isReminded,
  lastCourse,
  listedBy,
  mayTake,
  occurrenceId,
  type Pair,
  possibleSettings,
  readStored,
  remindedBefore,
  stamp,
} from './facts.ts';
import { findWrongFollowUps } from './follow-up-checks.ts';
import { findFollowed, isExcused } from './follow-ups.ts';
import { findWrongFreezes } from './freeze-checks.ts';
import { readFrozenWrites } from './frozen-writes.ts';
import { findWrongOccurrences } from './occurrence-checks.ts';
import { slowPosition } from './oracle/course.ts';
import { slowFits } from './oracle/groups.ts';
import type { Refusal } from './people.ts';
import type { Accepted } from './push.ts';
import { findForbiddenPushes } from './push-checks.ts';
import { mayDisturb } from './quiet-hours.ts';
import { findWrongSampling } from './sampling-checks.ts';
import type { MemberSurvey, Row } from './tables.ts';
import { findWrongTriggers, nextTriggered, responseOfKey } from './triggered-checks.ts';

const dayMs = 86_400_000;
/** How long after its due time a row may still wait for its alarm at the end of a run. */
const graceMs = 3 * 60_000;

/** Checks the invariants of the design at the end of a run. Each violation is a sentence. */
export const findViolations = async (run: Finished): Promise<string[]> =>
  violationsIn(factsOf(run, await readStored(run)));

/** The same of what the service is said to have kept. */
export async function violationsIn(facts: Facts): Promise<string[]> {
  const { run } = facts;
  return [
    ...run.untraced,
    ...run.records.looks.wrong,
    ...(await readFrozenWrites(run.database)),
    ...findWrongPlans(facts),
    ...findLost(facts),
    ...findRepeats(facts),
    ...findForbiddenPushes(facts),
    ...findWrongFreezes(facts),
    ...findWrongCourses(facts),
    ...findWrongSampling(facts),
    ...findWrongFollowUps(facts),
    ...findWrongTriggers(facts),
    ...findDisorder(facts),
    ...findMisplacedAnswers(facts),
    ...(await findWrongCompliance(facts)),
    ...(await findWrongOccurrences(facts)),
  ];
}

/** Invariant 1: the one pending row is the next occurrence, or there is none because the series is over. */
function findWrongPlans(facts: Facts): string[] {
  const { run, rows, pairs } = facts;
  const wrong: string[] = [];
  for (const pair of pairs) {
    const { member, survey, stored } = pair;
    const label = `${member.name}, ${survey.name}`;
    const pending = pair.rows.filter(isPending);
    const next = nextOf(facts, pair);
    const isMember = stored !== undefined;
    const mayBe = member.member.possible(run.world.at(), run.world.at());
    if (!mayBe.includes(isMember) && !member.deleted && !run.refusals.some(isOfStudy))
      wrong.push(`${label}: member ${!isMember}, but the database says otherwise`);
    if (!clockMoves(facts)) wrong.push(...findWrongBeginning(pair).map((what) => `${label}: ${what}`));
    const found = pending.map(({ dueAt, revision, counter, ...row }) => {
      const response = responseOfKey(row.on);
      const on = response === undefined ? row.on : `${row.on.slice(0, 10)} ${response}`;
      return { on, dueAt, revision, counter };
    });
    const expected = next ? [next] : [];
    if (JSON.stringify(found) !== JSON.stringify(expected))
      wrong.push(`${label}: expected to be pending: ${show(expected)}; found ${show(found)}`);
    for (const row of pending)
      if (row.dueAt < run.world.now() - graceMs && !isHeld(facts, pair, row))
        wrong.push(`${label}: ${row.on} is overdue and not settled`);
  }
  const known = new Set(pairs.flatMap((pair) => pair.rows));
  for (const row of rows) if (isPending(row) && !known.has(row)) wrong.push(`${row.on}: a stray row`);
  return wrong;
}

/** Participants have a beginning: responders when they joined or later, others with their first phone or download. */
function findWrongBeginning({ stored }: Pair): string[] {
  if (!stored) return [];
  const { concerned, participantSince: since, joinedAt, firstSign } = stored;
  if ((since !== null) !== (concerned === 1)) return [`takes part: ${concerned === 1}; noted since ${since}`];
  const isWrong =
    since !== null && (since < joinedAt || (firstSign !== null && since > Math.max(firstSign, joinedAt)));
  return isWrong ? [`takes part since ${stamp(since)}, which was not so`] : [];
}

/** It waits for quiet hours to end. */
function isHeld(facts: Facts, { member }: Pair, { coming }: Row): boolean {
  const now = facts.run.world.now();
  const during = [facts.run.world.at(), facts.run.world.at()] as const;
  return coming.some(({ at }) => at > now) && !mayDisturb(facts, member, { during, instants: [now] });
}

function nextOf(facts: Facts, pair: Pair): Planned | null {
  const { run, expect, drawOf } = facts;
  const { survey, stored } = pair;
  if (!stored?.concerned || survey.archived.last() || run.records.study.archived.last()) return null;
  if (!isForNow(pair)) return null;
  const settings = currentSettings(facts, pair, stored);
  const { revision, given } = survey.reminders.last();
  if (given?.type === 'triggered') return nextTriggered(facts, pair, stored, settings);
  const last = lastSettled(pair);
  const reminded = remindedBefore(pair, revision);
  const listed = listedBy(facts, pair, { revision, given }, settings);
  const position = given ? slowPosition(last, given, listed) : -1;
  for (const { on, counter } of listed) {
    if (
      on <= (last?.on ?? '') ||
      counter <= position ||
      isLongBefore(on, stored) ||
      !isInTime(pair, settings, on)
    )
      continue;
    const dueAt = expect.due(on, { ...settings, draw: drawOf(pair, revision) });
    if (isReminded(reminded, dueAt, settings.timeZone)) continue;
    if (dueAt > stored.since) return { on, dueAt, revision, counter };
  }
  return null;
}

/** Invariant 4: every date up to the newest settled one has a row, unless it once did not exist. */
function findLost(facts: Facts): string[] {
  const { rows, pairs, run } = facts;
  const lost = pairs.flatMap((pair) =>
    missingDates(facts, pair).map(
      (on) => `${pair.member.name}, ${pair.survey.name}: ${on} was due and has no record`,
    ),
  );
  const pushed = new Set(run.relay.accepted.map((one) => one.collapseId));
  for (const row of rows) {
    const explained = row.state === 'sent' || (row.state !== null && row.reason !== null);
    if (!isPending(row) && !explained) lost.push(`${row.on}: settled as ${row.state} without a reason`);
    if (row.state === 'sent' && !pushed.has(occurrenceId(row)))
      lost.push(`${row.on}: said to be sent, and was not`);
  }
  return lost;
}

function missingDates(facts: Facts, pair: Pair): string[] {
  const { expect, drawOf } = facts;
  const { member, survey, stored } = pair;
  if (!stored?.concerned || mayTake(pair).includes(false)) return [];
  const { revision, given } = survey.reminders.last();
  const settled = lastSettled(pair)?.on ?? '';
  const recorded = new Set(pair.rows.filter((row) => row.revision === revision).map(({ on }) => on));
  const current = currentSettings(facts, pair, stored);
  const reminded = remindedBefore(pair, revision);
  const listed = (settings: Omit<typeof current, 'given'>) =>
    listedBy(facts, pair, { revision, given }, settings).filter(({ on }) => isInTime(pair, settings, on));
  const dates = listed(current).filter(({ on }) => on <= settled && !recorded.has(on));
  const alwaysExisted = (on: string) =>
    possibleSettings(facts, member).every((settings) => {
      const isListed = listed(settings).some((date) => date.on === on);
      const draw = drawOf(pair, revision);
      const dueAt = expect.due(on, { given, ...settings, draw });
      return isListed && dueAt > stored.since && !isReminded(reminded, dueAt, settings.timeZone);
    });
  return dates.map(({ on }) => on).filter((on) => !isLongBefore(on, stored) && alwaysExisted(on));
}

/**
 * Invariant 2: no phone gets two pushes for one occurrence, unless the first run could not record its own. The follow-up
 * checks know how many follow-ups may come.
 */
function findRepeats(facts: Facts): string[] {
  const { run, rows } = facts;
  const followed = new Set(findFollowed(facts).map(({ row }) => occurrenceId(row)));
  const repeats: string[] = [];
  const known = new Map<string, Accepted>();
  const inRun = new Map<string, Accepted>();
  for (const push of run.relay.accepted) {
    const key = `${push.token} ${push.collapseId}`;
    const before = known.get(key);
    if (before && !isExcused(before) && !followed.has(push.collapseId))
      repeats.push(`${push.token} got '${push.title}' twice: ${stamp(before.at)} and ${stamp(push.at)}`);
    // Each death of the process repeats a push once at most.
    if (
      before?.told &&
      before.task?.dead &&
      !run.server.deaths.some((at) => before.at <= at && at <= push.at)
    )
      repeats.push(
        `${push.token} got it again at ${stamp(push.at)}, and nothing died since ${stamp(before.at)}`,
      );
    known.set(key, push);
    const visit = `${push.token} ${push.survey} ${push.task?.name} ${push.runSince}`;
    const other = inRun.get(visit);
    if (other && other.task === push.task && other.collapseId !== push.collapseId)
      repeats.push(`${push.token} got two reminders of one survey at ${stamp(push.at)}`);
    inRun.set(visit, push);
  }
  for (const row of rows) {
    const sure = run.relay.accepted.find((push) => push.collapseId === occurrenceId(row) && !isExcused(push));
    if (sure && !isPending(row) && facts.occurrenceOf(sure.collapseId)?.state !== 'sent')
      repeats.push(`${row.on}: reached a phone at ${stamp(sure.at)}, and was settled as ${row.state}`);
  }
  return repeats;
}

/** Receipts change nothing else. */
const isOfStudy = ({ what }: Refusal) => !what.includes('/notification/');

/** A phone gets the occurrences of a survey in their order, and follow-ups of one before the next. */
function findDisorder(facts: Facts): string[] {
  if (clockMoves(facts) || facts.rows.length === 0) return [];
  const last = new Map<string, Row>();
  return facts.run.relay.accepted
    .toSorted((a, b) => a.at - b.at)
    .flatMap((push) => {
      const row = facts.occurrenceOf(push.collapseId);
      if (!row) return [];
      const series = `${push.token} ${row.user} ${row.survey}`;
      const before = last.get(series);
      const isBefore = before && (row.revision - before.revision || (row.on < before.on ? -1 : 0)) < 0;
      if (!isBefore && !isExcused(push)) last.set(series, row);
      return isBefore ? [`${push.token} got ${row.on} after ${before.on}`] : [];
    });
}

const isForNow = ({ member, survey }: Pair) => slowFits(survey.for.last(), member.properties.last());

const isPending = ({ settledAt }: { settledAt: number | null }) => settledAt === null;

/** Dates three days before `since` cannot be due after it in any zone. */
const isLongBefore = (on: string, { since }: MemberSurvey) => Date.parse(on.slice(0, 10)) < since - 3 * dayMs;

function currentSettings(facts: Facts, { member, survey }: Pair, stored: MemberSurvey) {
  const { records } = facts.run;
  return {
    given: survey.reminders.last().given,
    start: records.study.startsOn.last(),
    ...lastCourse(facts, member),
    studyZone: records.study.timeZone.last(),
    timeZone: stored.deviceZone ?? member.home.last() ?? records.study.timeZone.last(),
    time: member.time.last(),
  };
}

/** The newest settled date of the current reminders, or nothing. One that was invalidated may come again. */
function lastSettled({ survey, rows }: Pair): Row | undefined {
  const { revision } = survey.reminders.last();
  return rows
    .filter((row) => row.revision === revision && !isPending(row) && row.state !== 'invalidated')
    .toSorted((a, b) => (a.on < b.on ? -1 : 1))
    .at(-1);
}

interface Planned {
  on: string;
  dueAt: number;
  revision: number;
  counter: number;
}

const show = (list: Planned[]) =>
  list.map((one) => `${one.on} at ${stamp(one.dueAt)} (${one.revision}/${one.counter})`).join(', ') ||
  'nothing';
