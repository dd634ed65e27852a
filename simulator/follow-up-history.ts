import {
  belongingOf,
  clockMoves,
  type Facts,
  isInTime,
  isStillListed,
  occurrenceId,
  type Pair,
  possibleSettings,
  stamp,
} from './facts.ts';
import { type Followed, pushedOf, type SnoozeTime } from './follow-ups.ts';
import { wallAt } from './oracle/clock.ts';
import { clockZone } from './oracle/expected.ts';
import { mayAnswer } from './oracle/follow-ups.ts';
import { mayBeQuiet } from './quiet-hours.ts';
import type { AnswerRecord, Snooze } from './records.ts';
import type { FollowUpRow } from './tables.ts';
import { mayBeGone } from './triggered-checks.ts';

const minuteMs = 60_000;
/** How long after its time a nudge may still wait for its alarm at the end of a run. */
const graceMs = 3 * minuteMs;
/** Longest time between reading the state of a user and writing down what was decided, with every retry. */
export const decidingMs = 3 * minuteMs;

/** Each nudge and snooze that is owed was pushed, or its history says truthfully why not. */
export function findWrongHistories(facts: Facts, followed: Followed): string[] {
  // Entries have the server's times, which such a fault moves away from true time.
  if (clockMoves(facts)) return [];
  return [
    ...findLost(facts, followed),
    ...findWrongNext(facts, followed),
    ...findUnfinished(followed),
    ...followed.row.followUps.flatMap((entry) => findUntrue(facts, followed, entry)),
  ];
}

function findLost(facts: Facts, followed: Followed): string[] {
  const now = facts.run.world.now();
  const lost = (kind: string, at: number) =>
    `a ${kind} was owed at ${stamp(at)}, and its history does not say why not`;
  // Other reminders settled it, while one of its phones was still to be tried.
  const { row, survey, member } = followed;
  const during = [row.settledAt - decidingMs, row.settledAt] as const;
  if (survey.reminders.possible(...during).some(({ revision }) => revision !== row.revision)) return [];
  // Nothing comes to an account that is gone, and nobody reads its history.
  const isOwed = (at: number) =>
    at < now - graceMs && !(member.deleted && member.member.possible(at, at).includes(false));
  return [
    ...followed.owed
      .filter(
        (at) => isOwed(at) && !isEndedAside(facts, followed, at) && !isNudgeAccounted(facts, followed, at),
      )
      .map((at) => lost('nudge', at)),
    ...standingSnoozes(followed)
      .filter(({ from }) => isOwed(from) && !hasEntry(followed, 'snooze', from))
      .filter(({ from }) => !waits(facts, followed, from))
      .map(({ from }) => lost('snooze', from)),
  ];
}

/** An answer that was set aside ends the nudges of its reminder at once. */
const isEndedAside = ({ setAside }: Facts, { row }: Followed, at: number) =>
  setAside.some(({ notification, received }) => notification === occurrenceId(row) && received <= at);

/** Snoozes that were surely accepted, and not replaced. Of two phones that ask at one moment, either may be the last. */
const standingSnoozes = ({ snoozes }: Followed): SnoozeTime[] =>
  snoozes.filter(
    ({ from, asked }) =>
      asked.nextAt !== undefined &&
      !snoozes.some(
        ({ asked: other }) =>
          other !== asked && other.from >= asked.from && other.fromNow <= from + decidingMs,
      ),
  );

const hasEntry = ({ row }: Followed, kind: FollowUpRow['kind'], at: number) =>
  row.followUps.some((entry) => entry.kind === kind && Date.parse(entry.dueAt) === at);

/** A snooze that quiet hours put off. */
const waits = ({ run }: Facts, { row }: Followed, at: number) =>
  row.coming.some((one) => one.kind !== 'first' && one.at > run.world.now() - graceMs && one.at >= at);

function isNudgeAccounted(facts: Facts, followed: Followed, at: number): boolean {
  const { row, snoozes } = followed;
  if (hasEntry(followed, 'nudge', at)) return true;
  if (
    row.followUps.some(
      (entry) => isLast(followed, entry) && Math.min(Date.parse(entry.dueAt), Date.parse(entry.at)) <= at,
    )
  )
    return true;
  // Nudges wait for a snooze.
  return snoozes.some(({ asked, from, until }) => {
    if (asked.fromNow - graceMs > at && !isUnrecordable(facts, at, asked)) return false;
    // Also for one that another snooze replaced.
    if (at <= until) return true;
    return (
      row.followUps.some(
        (entry) =>
          entry.kind === 'snooze' &&
          Date.parse(entry.dueAt) >= from &&
          Date.parse(entry.dueAt) <= until &&
          Date.parse(entry.at) >= at,
      ) || waits(facts, followed, Math.max(from, at))
    );
  });
}

/** From the time of a nudge until a snooze took its place nothing could be recorded, so that nothing was pushed. */
const isUnrecordable = ({ run }: Facts, at: number, { from }: Snooze) =>
  run.scenario.faults.some(
    (fault) =>
      fault.what === 'database' &&
      fault.is !== 'slow' &&
      fault.share === 1 &&
      fault.from <= at + graceMs &&
      fault.until >= from - graceMs,
  );

/** After these reasons no follow-up comes; nor after another occurrence of the survey. */
const lasting = [
  'answered',
  'opened',
  'expired',
  'survey-archived',
  'stale',
  'left-study',
  'series-ended',
  'trigger-gone',
];
const isLast = (followed: Followed, { state, reason = '' }: FollowUpRow) =>
  state !== 'retrying' && (lasting.includes(reason) || (reason === 'superseded' && isSuperseded(followed)));

/** A newer one was settled; or its push was tried, whatever took it back, or moved it, later. */
const isSuperseded = (
  { row, rows, tried }: Pick<Followed, 'row' | 'rows' | 'tried'>,
  by = Number.POSITIVE_INFINITY,
) =>
  rows.some(
    (one) =>
      (one.revision > row.revision || (one.revision === row.revision && one.on > row.on)) &&
      ((one.settledAt !== null && one.state !== 'invalidated' && Math.min(one.dueAt, one.settledAt) <= by) ||
        (tried.get(occurrenceId(one)) ?? Number.NaN) <= by + decidingMs),
  );

/** The upcoming follow-up is the next one owed, and none is left waiting. */
function findWrongNext(facts: Facts, followed: Followed): string[] {
  const { row, nudges: times, owed: certain, snoozes, stored } = followed;
  const now = facts.run.world.now();
  const tries = row.coming.find(({ kind }) => kind === 'first');
  if (tries && tries.at < now - graceMs)
    return [`to be tried for its last phones at ${stamp(tries.at)}, which is overdue`];
  const next = row.coming.find(({ kind }) => kind !== 'first');
  if (next) {
    const { at, kind } = next;
    if (at < now - graceMs) return [`to be followed up at ${stamp(at)}, which is overdue`];
    const retried = row.followUps.some(({ state }) => state === 'retrying');
    const isNudge = times.includes(at) && kind === 'nudge';
    const isSnooze = snoozes.some(
      ({ from, until }) => from <= at && (until >= at || isPutOff(facts, followed, until)),
    );
    return retried || isNudge || isSnooze
      ? []
      : [`to be followed up at ${stamp(at)}, which nobody asked for`];
  }
  const isOver =
    stored === undefined ||
    isSuperseded(followed) ||
    row.followUps.some((entry) => isLast(followed, entry)) ||
    followed.survey.reminders.last().revision !== row.revision;
  const nudges = certain.filter((at) => !isEndedAside(facts, followed, at));
  const owed = [...nudges, ...standingSnoozes(followed).map(({ from }) => from)].filter((at) => at >= now);
  if (isOver || owed.length === 0) return [];
  return [`a nudge or snooze is owed at ${stamp(Math.min(...owed))}, and nothing is to come`];
}

/** Every retry was made, or comes next, unless its reminder went with its person's account. */
const findUnfinished = ({ row, stored }: Followed) =>
  row.followUps.flatMap(({ kind, dueAt, state, at }) => {
    const isNext =
      row.coming.some((one) => one.kind !== 'first') && row.followUps.every((other) => other.at <= at);
    return stored && state === 'retrying' && !isNext ? [`the ${kind} of ${dueAt} was never tried again`] : [];
  });

/** Quiet hours delay a snooze until they end. */
const isPutOff = (facts: Facts, { member }: Pick<Pair, 'member'>, at: number) =>
  mayBeQuiet(facts, member, { during: [at - decidingMs, facts.run.world.at()], instants: [at] });

function findUntrue(facts: Facts, followed: Followed, entry: FollowUpRow): string[] {
  const place = followed.row.followUps.indexOf(entry);
  const [dueAt, at] = [Date.parse(entry.dueAt), Date.parse(entry.at)];
  const what = `the ${entry.kind} of ${entry.dueAt}`;
  const isTime =
    entry.kind === 'nudge'
      ? followed.rounds
          .findLast(({ after }) => after < place)
          ?.times.flat()
          .includes(dueAt)
      : followed.snoozes.some(({ from, until }) => from <= dueAt && dueAt <= until);
  // A pending follow-up ends early with its series.
  const faults = isTime || entry.reason === 'stale' ? [] : [`${what} is none that is owed`];
  if (entry.state === 'sent') {
    const has = ({ deliveries = [] }: FollowUpRow, id: string) =>
      deliveries.some(({ messageId }) => messageId === id);
    const reached = followed.pushes.find(({ messageId }) => has(entry, messageId));
    if (!reached) faults.push(`${what} is said to be sent, and was not`);
    // Nudges are counted from it.
    else if (Math.abs((pushedOf(entry) ?? 0) - reached.now) > decidingMs)
      faults.push(`${what} reached a phone at ${stamp(reached.at)}, and has another time`);
  }
  if (entry.reason !== undefined && entry.reason !== 'relay' && !mayBe(facts, followed, entry, { dueAt, at }))
    faults.push(`${what} ended as ${entry.reason} at ${entry.at}, which was not so`);
  return faults;
}

function mayBelong(facts: Facts, row: Followed['row'], answer: AnswerRecord): boolean {
  const belonging = belongingOf(facts, answer.id) ?? null;
  return belonging === occurrenceId(row) || (belonging === null && mayAnswer(row.dueAt, answer));
}

/** Whether the reason of an entry may have held when it was decided. */
function mayBe(
  facts: Facts,
  followed: Followed,
  { kind, reason }: FollowUpRow,
  { dueAt, at }: { dueAt: number; at: number },
): boolean {
  const { member, survey, row, given, rule, expiresAt, nudges, snoozes } = followed;
  const { study } = facts.run.records;
  const during = [at - decidingMs, at] as const;
  switch (reason) {
    case 'stale':
      return survey.reminders
        .possible(...during)
        .some(({ revision, given }) => revision !== row.revision || given === null);
    case 'left-study':
      return (
        member.member.possible(...during).includes(false) ||
        // Staff take part with a phone.
        (member.role !== 'responder' && member.tokens.possible(...during).some(({ length }) => length === 0))
      );
    case 'survey-archived':
      return [survey.archived, study.archived].some((one) => one.possible(...during).includes(true));
    case 'superseded':
      return (
        isSuperseded(followed, at) ||
        // A snooze ends the retries of an earlier one too.
        [...(kind === 'nudge' ? nudges : []), ...snoozes.map(({ from }) => from)].some(
          (one) => dueAt < one && one <= at,
        )
      );
    case 'study-frozen':
      return study.frozen.possible(...during).includes(true);
    case 'answered':
      return member.answers.some(
        (answer) => answer.survey === survey.id && answer.fromNow <= at && mayBelong(facts, row, answer),
      );
    case 'opened':
      return kind === 'nudge' && rule?.stop === 'opened' && member.opens.some(({ fromNow }) => fromNow <= at);
    case 'paused':
      return [member.pausedUntil, member.studyPausedUntil].some((pause) =>
        pause.possible(...during).some((until) => until !== null && dueAt < until),
      );
    case 'expired':
      return at >= expiresAt;
    case 'quiet-hours':
      return (
        mayBeQuiet(facts, member, { during, instants: [dueAt, ...during] }) &&
        (kind === 'nudge' || mayBeQuiet(facts, member, { during, instants: [expiresAt - minuteMs] }))
      );
    case 'series-ended':
    case 'date-moved':
      return (
        (reason === 'date-moved') === (typeof given?.from === 'object') &&
        possibleSettings(facts, member, ...during).some(
          (settings) => !isStillListed(facts, followed, settings),
        )
      );
    case 'not-participating':
      return possibleSettings(facts, member, ...during).some((settings) =>
        [row.on, wallAt(dueAt, clockZone(given, settings))].some((on) => !isInTime(followed, settings, on)),
      );
    case 'trigger-gone':
      return mayBeGone(followed, { on: row.on, given, during });
    case 'no-device':
      return member.tokens
        .possible(...during)
        .some((tokens) => tokens.every((token) => facts.run.relay.uninstalled.has(token)));
    default:
      return false;
  }
}
