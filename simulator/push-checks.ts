import { occurrenceIdentifier } from '../src/identifiers.ts';
import { occurrenceKey } from '../src/schedule/slots.ts';
import {
  belongingOf,
  type Facts,
  isInTime,
  isReminded,
  listedBy,
  mayTake,
  occurrenceId,
  type Pair,
  possibleSettings,
  remindedBefore,
  stamp,
} from './facts.ts';
import { type Followed, findFollowed, isFollowUp } from './follow-ups.ts';
import { wallAt } from './oracle/clock.ts';
import { clockZone } from './oracle/expected.ts';
import type { Accepted } from './push.ts';
import { mayDisturb } from './quiet-hours.ts';
import type { GivenReminders } from './records.ts';
import { responseOfKey, triggeredDue } from './triggered-checks.ts';

/** One date of one member, one survey and one revision of its reminders. */
interface Occurrence extends Pair {
  revision: number;
  on: string;
  /** The push is not the first; the follow-up checks say when it may come. */
  again?: boolean;
}

type Settings = ReturnType<typeof possibleSettings>[number];

const dayMs = 86_400_000;

/** Invariant 3: nothing is sent that the state of that moment forbids, as the people who made that state know it. */
export function findForbiddenPushes(facts: Facts): string[] {
  const followed = new Map(findFollowed(facts).map((one) => [occurrenceId(one.row), one]));
  const recorded = new Map(
    facts.pairs.flatMap((pair) =>
      pair.rows.map((row) => [occurrenceId(row), { ...pair, revision: row.revision, on: row.on }]),
    ),
  );
  return facts.run.relay.accepted.flatMap((push) => {
    const occurrence = recorded.get(push.collapseId) ?? searchOccurrence(facts, push);
    if (!occurrence) return [`a push at ${stamp(push.at)} belongs to no occurrence`];
    const { member, survey, on } = occurrence;
    const label = `${member.name}, ${survey.name}, ${on}, sent ${stamp(push.at)}`;
    const before = followed.get(push.collapseId);
    const again = before !== undefined && (isFollowUp(before, push) || isForLastPhones(before, push));
    return faultsOf(facts, push, { ...occurrence, again }).map((fault) => `${label}: ${fault}`);
  });
}

/** The first push again, for phones that it had not reached: its due time stays, wherever the person goes. */
const isForLastPhones = ({ row, expiresAt }: Followed, { runNow }: Accepted) =>
  row.settledAt < runNow && runNow < expiresAt;

/** For a row that is gone, as when somebody left between two attempts. */
function searchOccurrence({ pairs }: Facts, push: Accepted): Occurrence | undefined {
  for (const pair of pairs)
    for (let revision = pair.survey.reminders.last().revision; revision >= 0; revision--)
      for (let day = -3; day <= 3; day++) {
        const date = new Date(push.now + day * dayMs).toISOString().slice(0, 10);
        const on = keysOf(date).find(
          (key) => occurrenceIdentifier(pair.member.id, pair.survey.id, revision, key) === push.collapseId,
        );
        if (on !== undefined) return { ...pair, revision, on };
      }
  return searchTriggered({ pairs }, push);
}

function searchTriggered({ pairs }: Pick<Facts, 'pairs'>, push: Accepted): Occurrence | undefined {
  const today = new Date(push.now).toISOString().slice(0, 10);
  for (const pair of pairs)
    for (let revision = pair.survey.reminders.last().revision; revision >= 0; revision--)
      for (const { id } of pair.member.answers) {
        const on = `${today}/${'0'.repeat(12)}/${id}`;
        const isOf = occurrenceIdentifier(pair.member.id, pair.survey.id, revision, on) === push.collapseId;
        if (isOf) return { ...pair, revision, on };
      }
  return undefined;
}

/** A date as the key of its occurrence, or of its first slots. */
const keysOf = (date: string) => [
  date,
  ...Array.from({ length: 20 }, (_, slot) => occurrenceKey({ on: date, slot })),
];

/** Another reminder has the answer, which belongs to none. */
function isTakenByOther(
  { responses, setAside }: Facts,
  { rows, revision, on }: Occurrence,
  id: string,
): boolean {
  const given = [...responses, ...setAside].find((one) => one.id === id)?.given;
  return rows.some(
    (row) =>
      row.answeredAt === given &&
      row.settledAt !== null &&
      row.state !== 'invalidated' &&
      (row.revision !== revision || row.on !== on),
  );
}

function faultsOf(facts: Facts, push: Accepted, occurrence: Occurrence): string[] {
  const { member, survey, revision, on, stored } = occurrence;
  const { study } = facts.run.records;
  // From the read of the state to the relay's acceptance.
  const during = [push.runSince, push.at] as const;
  // One that follows a response is the same occurrence under all reminders of the survey.
  const isTriggered = responseOfKey(on) !== undefined;
  const reminders = survey.reminders
    .possible(...during)
    .filter((one) => (isTriggered ? one.given?.type === 'triggered' : one.revision === revision));
  if (!reminders.some(({ given }) => given)) return [`the reminders were others (revision ${revision})`];

  const faults: string[] = [];
  if (!member.member.possible(...during).includes(true)) faults.push('not a member');
  if (!survey.archived.possible(...during).includes(false)) faults.push('survey archived');
  if (!mayTake(occurrence, ...during).includes(true)) faults.push('not in its group');
  if (!study.archived.possible(...during).includes(false)) faults.push('study archived');
  if (!study.frozen.possible(...during).includes(false)) faults.push('study frozen');
  if (!member.tokens.possible(...during).some((tokens) => tokens.includes(push.token)))
    faults.push(`${push.token} is not their phone`);

  // The server's clock may have jumped in between.
  const [earliest, latest] = [Math.min(push.runNow, push.now), Math.max(push.runNow, push.now)];
  const reminded = remindedBefore(occurrence, revision, Math.min(push.runNow, push.now));
  const isAllowed = (given: GivenReminders, settings: Settings) => {
    if (given === null) return false;
    const isListed = () =>
      listedBy(facts, occurrence, { revision, given }, settings).some((date) => date.on === on);
    if (stored && ((!isTriggered && !isListed()) || !isInTime(occurrence, settings, on))) return false;
    const timeZone = clockZone(given, settings);
    const draw = facts.drawOf(occurrence, revision);
    const due = isTriggered
      ? triggeredDue(facts, occurrence, { given, during, ...settings })
      : facts.expect.due(on, { given, ...settings, draw });
    if (due === null) return false;
    const expiresAt = due + Number(given.expiresAfter ?? 360) * 60_000;
    const paused = [member.pausedUntil, member.studyPausedUntil].some((pause) =>
      pause.possible(...during).every((until) => until !== null && due < until),
    );
    // Of a date's reminders an answer that belongs to none holds back one: `findTwice` counts them.
    const belongsHere = (id: string) => {
      const to = belongingOf(facts, id) ?? null;
      return (
        to === push.collapseId || (to === null && !isTriggered && !isTakenByOther(facts, occurrence, id))
      );
    };
    const answered =
      given.unlessAnswered === true &&
      member.answers.some(
        (answer) =>
          answer.survey === survey.id &&
          answer.sure <= push.runSince &&
          !answer.deleted.possible(...during).includes(true) &&
          belongsHere(answer.id) &&
          wallAt(answer.sureNow, timeZone).startsWith(on.slice(0, 10)) &&
          wallAt(answer.fromNow, timeZone).startsWith(on.slice(0, 10)),
      );
    const twice = !isTriggered && isReminded(reminded, due, settings.timeZone);
    return due <= latest && earliest < expiresAt && !paused && !answered && !twice;
  };
  const allowed = possibleSettings(facts, member, ...during).some((settings) =>
    reminders.some(({ given }) => isAllowed(given, settings)),
  );
  if (!mayDisturb(facts, member, { during, instants: [push.runNow, push.now] })) faults.push('quiet hours');
  if (!allowed && !occurrence.again)
    faults.push('not due, expired, paused, answered, reminded before, not listed, or outside of their time');
  return faults;
}
