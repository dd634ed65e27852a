import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { type Case, everyPlace, idOf, pairs, stamp } from './invariants.ts';
import { wallAt } from './oracle/clock.ts';
import type { Accepted } from './push.ts';
import type { MemberRecord, SurveyRecord } from './record.ts';

/** One date of one member, one survey and one revision of its reminders. */
interface Meaning {
  member: MemberRecord;
  survey: SurveyRecord;
  revision: number;
  on: string;
}

const dayMs = 86_400_000;

/** Invariant 3: what was sent was allowed by the state of that moment, as the people who made it know it. */
export function findUnjustPushes(all: Case): string[] {
  const meanings = readMeanings(all);
  return all.run.relay.accepted.flatMap((push) => {
    const meaning = meanings.get(push.collapseId) ?? searchMeaning(all, push);
    if (!meaning) return [`a push at ${stamp(push.at)} belongs to no occurrence`];
    const label = `${meaning.member.name}, ${meaning.survey.name}, ${meaning.on}, sent ${stamp(push.at)}`;
    return faultsOf(all, push, meaning).map((fault) => `${label}: ${fault}`);
  });
}

function readMeanings(all: Case): Map<string, Meaning> {
  const byIds = new Map(
    [...pairs(all)].map(([member, survey]) => [`${member.id} ${survey.id}`, { member, survey }]),
  );
  const found = new Map<string, Meaning>();
  for (const row of all.rows) {
    const names = byIds.get(`${row.user} ${row.survey}`);
    if (names) found.set(idOf(row), { ...names, revision: row.revision, on: row.on });
  }
  return found;
}

/** The row is gone, as when somebody left between two tries. */
function searchMeaning(all: Case, push: Accepted): Meaning | undefined {
  for (const [member, survey] of pairs(all))
    for (let revision = survey.reminders.last().revision; revision >= 0; revision--)
      for (let day = -3; day <= 3; day++) {
        const on = new Date(push.now + day * dayMs).toISOString().slice(0, 10);
        if (occurrenceIdentifier(member.id, survey.id, revision, on) === push.collapseId)
          return { member, survey, revision, on };
      }
  return undefined;
}

/** `during` is from when the run read the state to when the relay took the push. */
function faultsOf(all: Case, push: Accepted, { member, survey, revision, on }: Meaning): string[] {
  const { records } = all.run;
  const during = [push.runSince, push.at] as const;
  // The server's clock may have jumped in between.
  const [earliest, latest] = [Math.min(push.runNow, push.now), Math.max(push.runNow, push.now)];
  const never = (values: boolean[]) => !values.includes(true);
  const faults: string[] = [];

  const reminders = survey.reminders.possible(...during).find((one) => one.revision === revision);
  if (!reminders?.given) return [`the reminders were others (revision ${revision})`];
  const { given } = reminders;
  if (never(member.member.possible(...during))) faults.push('not a member');
  if (never(survey.archived.possible(...during).map((archived) => !archived))) faults.push('survey archived');
  if (never(records.study.archived.possible(...during).map((archived) => !archived)))
    faults.push('study archived');
  if (!member.tokens.possible(...during).some((tokens) => tokens.includes(push.token)))
    faults.push(`${push.token} is not their phone`);

  const place = all.places.find((one) => one.user === member.id && one.survey === survey.id);
  const allowed = everyPlace(all, member, ...during).filter(({ timeZone, time, start }) => {
    const first = given.type === 'fixed' ? (place?.downloadedOn ?? null) : start;
    if (place && !all.expect.dates({ given, start: first }).some((date) => date.on === on)) return false;
    const due = all.expect.due(on, { given, timeZone, time });
    const expiresAt = due + Number(given.expiresAfter ?? 360) * 60_000;
    const paused = member.pausedUntil.possible(...during).every((until) => until !== null && due < until);
    const answered =
      given.unlessAnswered === true &&
      member.answers.some(
        (answer) =>
          answer.survey === survey.id &&
          answer.sure <= push.runSince &&
          wallAt(answer.sureNow, timeZone).startsWith(on) &&
          wallAt(answer.fromNow, timeZone).startsWith(on),
      );
    return due <= latest && earliest < expiresAt && !paused && !answered;
  });
  if (allowed.length === 0) faults.push('not due, expired, paused, answered or not listed');
  return faults;
}
