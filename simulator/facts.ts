import { occurrenceIdentifier } from '../src/identifiers.ts';
import type { Finished } from './context.ts';
import { wallAt } from './oracle/clock.ts';
import { type GivenTime, isWithin, slowPosition, slowStart, slowTime } from './oracle/course.ts';
import type { Draw } from './oracle/draws.ts';
import { createExpectations, type Expectations, type ExpectedDate } from './oracle/expected.ts';
import { slowFits } from './oracle/groups.ts';
import type { GivenReminders, MemberRecord, SurveyRecord } from './records.ts';
import {
  type MemberSurvey,
  type Row,
  readMemberSurveys,
  readResponses,
  readRows,
  readSecrets,
  type StoredResponse,
} from './tables.ts';

/** All that the service has kept at the end of a run. */
export interface Stored {
  rows: Row[];
  responses: StoredResponse[];
  setAside: StoredResponse[];
  surveysOfMembers: MemberSurvey[];
  secrets: Map<string, string>;
}

/** The input of the checks: the run, what the service has kept of it, and the oracle. */
export interface Facts extends Pick<Stored, 'rows' | 'responses' | 'setAside'> {
  run: Finished;
  /** Each member with each survey. */
  pairs: Pair[];
  expect: Expectations;
  /** The inputs of the draws within a survey's windows, by revision. */
  drawOf(pair: Pick<Pair, 'member' | 'survey'>, revision: number): Draw;
  /** The occurrence of a push: of several rows the one that counts. */
  occurrenceOf(collapseId: string): Row | undefined;
}

export interface Pair {
  member: MemberRecord;
  survey: SurveyRecord;
  /** The database's rows of the member, if they are one there. */
  stored: MemberSurvey | undefined;
  rows: Row[];
}

export async function readStored({ database }: Pick<Finished, 'database'>): Promise<Stored> {
  const [rows, responses, setAside, surveysOfMembers, secrets] = await Promise.all([
    readRows(database),
    readResponses(database),
    readResponses(database, 'set_aside'),
    readMemberSurveys(database),
    readSecrets(database),
  ]);
  return { rows, responses, setAside, surveysOfMembers, secrets };
}

export function factsOf(run: Finished, stored: Stored): Facts {
  const { rows, responses, setAside, surveysOfMembers, secrets } = stored;
  const weightOf = ({ state }: Row) => (state === 'sent' ? 2 : state === 'invalidated' ? 0 : 1);
  const byId = new Map(
    rows
      .toSorted((a, b) => weightOf(a) - weightOf(b) || a.revision - b.revision)
      .map((row) => [occurrenceId(row), row]),
  );
  const surveys = [...run.records.surveys.values()];
  const pairs = [...run.records.members.values()].flatMap((member) =>
    surveys.map((survey) => {
      const belongs = (one: { user: string; survey: string }) =>
        one.user === member.id && one.survey === survey.id;
      return { member, survey, stored: surveysOfMembers.find(belongs), rows: rows.filter(belongs) };
    }),
  );
  return {
    run,
    rows,
    responses,
    setAside,
    pairs,
    expect: createExpectations(run.world.at()),
    drawOf: ({ member, survey }, revision) => ({
      secret: secrets.get(survey.id) ?? '',
      user: member.id,
      revision,
    }),
    occurrenceOf: (collapseId) => byId.get(collapseId),
  };
}

/** The occurrence that an answer belongs to; undefined: it is not stored, or to none that counts. */
export const belongingOf = ({ responses }: Facts, id: string): string | null | undefined =>
  responses.find((one) => one.id === id)?.notification;

export const occurrenceId = (row: Pick<Row, 'user' | 'survey' | 'revision' | 'on'>) =>
  occurrenceIdentifier(row.user, row.survey, row.revision, row.on);

/** The reminders of a row's revision. If two were set under one number, the first was refused. */
export const givenOf = ({ survey }: Pick<Pair, 'survey'>, { revision }: Pick<Row, 'revision'>) =>
  survey.reminders
    .possible(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    .findLast((one) => one.revision === revision)?.given ?? null;

/**
 * The dates, where the member was, on which reminders before this revision were pushed by the instant `by` of the server's
 * clock: the revision reminds on none of them.
 */
export const remindedBefore = (
  { rows, survey }: Pick<Pair, 'rows' | 'survey'>,
  revision: number,
  by = Number.POSITIVE_INFINITY,
): string[] => {
  const set = survey.reminders
    .possible(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    .findLast((one) => one.revision === revision);
  if (set?.again) return [];
  return rows
    .filter((row) => row.revision < revision && row.state === 'sent' && (row.settledAt ?? by) < by)
    .map((row) => wallAt(row.settledAt ?? 0, row.timeZone).slice(0, 10));
};

/** Whether an instant is on one of these dates, or before, by the clocks of a zone. */
export const isReminded = (dates: readonly string[], at: number, timeZone: string): boolean =>
  dates.some((date) => wallAt(at, timeZone).slice(0, 10) <= date);

/** All combinations of zones, time and start that may have held for the member between two instants. */
export function possibleSettings(
  facts: Facts,
  member: MemberRecord,
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
) {
  const { records } = facts.run;
  const homes = member.home.possible(from, until);
  const studies = records.study.timeZone.possible(from, until);
  const fallback = homes.flatMap((home) => (home === null ? studies : [home]));
  const zones = member.away.possible(from, until).flatMap((away) => (away === null ? fallback : [away]));
  const starts = records.study.startsOn.possible(from, until).filter((start) => start !== '');
  const courses = possibleCourses(facts, member, from, until);
  const joins = possibleJoins(facts, member);
  return [...new Set(zones)].flatMap((timeZone) =>
    [...new Set(member.time.possible(from, until))].flatMap((time) =>
      [...new Set(starts)].flatMap((start) =>
        [...new Set(studies)].flatMap((studyZone) =>
          courses.flatMap((course) =>
            joins.map((joinedOn) => ({ timeZone, studyZone, time, start, ...course, joinedOn })),
          ),
        ),
      ),
    ),
  );
}

/** The dates and the time of a member, as they may have been. */
function possibleCourses(
  { run: { records } }: Facts,
  { dates, participation }: MemberRecord,
  from: number,
  until: number,
): Course[] {
  const days = new Set(records.study.participationDays.possible(from, until));
  const all = dates
    .possible(from, until)
    .flatMap((some) =>
      participation
        .possible(from, until)
        .flatMap((own) => [...days].map((one) => ({ dates: some, own, days: one }))),
    );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** Days of a run on which the member may have begun to take part, if that was more than once; undefined: as it is kept. */
function possibleJoins({ run }: Facts, { role, member, tokens }: MemberRecord): (string | undefined)[] {
  const always = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const [, ...phones] = tokens.possible(...always);
  const mayHaveLeft =
    member.possible(...always).lastIndexOf(false) > 0 ||
    (role !== 'responder' && phones.some(({ length }) => length === 0));
  if (!mayHaveLeft) return [undefined];
  const [first, last] = [run.scenario.from - dayMs, run.scenario.until + dayMs];
  const days = Array.from({ length: Math.floor((last - first) / dayMs) + 1 }, (_, n) => first + n * dayMs);
  return days.map((at) => new Date(at).toISOString().slice(0, 10));
}

const dayMs = 86_400_000;

interface Course {
  dates: Readonly<Record<string, string>>;
  own: GivenTime;
  days: number | null;
  joinedOn?: string | undefined;
}

/** The dates and the time of a member as they were left. */
export const lastCourse = (
  { run: { records } }: Pick<Facts, 'run'>,
  { dates, participation }: MemberRecord,
): Course => ({
  dates: dates.last(),
  own: participation.last(),
  days: records.study.participationDays.last(),
});

/** The dates that some reminders and settings list, within the member's time or not. */
export const listedBy = (
  { expect, drawOf }: Facts,
  { member, survey, stored }: Pick<Pair, 'member' | 'survey' | 'stored'>,
  { revision, given }: { revision: number; given: GivenReminders },
  { start, dates, joinedOn }: Pick<Course, 'dates' | 'joinedOn'> & { start: string },
): ExpectedDate[] =>
  expect.dates({
    given,
    start:
      given?.type === 'fixed'
        ? slowStart(given.from, {
            downloadedOn: stored?.downloadedOn ?? null,
            joinedOn: joinedOn ?? stored?.joinedOn ?? null,
            dates,
          })
        : start,
    draw: drawOf({ member, survey }, revision),
  });

/** Whether a survey may have been for a member, by each way in which that may have stood between two instants. */
export const mayTake = (
  { member, survey }: Pick<Pair, 'member' | 'survey'>,
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
): boolean[] =>
  survey.for
    .possible(from, until)
    .flatMap((rule) => member.properties.possible(from, until).map((values) => slowFits(rule, values)));

/** Whether an occurrence is listed by some settings. */
export const isListed = (
  facts: Facts,
  pair: Pair & { row: Row; given: GivenReminders },
  settings: Pick<Course, 'dates' | 'joinedOn'> & { start: string },
): boolean =>
  listedBy(facts, pair, { revision: pair.row.revision, given: pair.given }, settings).some(
    ({ on }) => on === pair.row.on,
  );

/** Whether an occurrence that was pushed is listed by some settings, or its date was corrected while it is open. */
export function isStillListed(
  facts: Facts,
  pair: Pair & { row: Row; given: GivenReminders },
  settings: Pick<Course, 'dates' | 'joinedOn'> & { start: string },
): boolean {
  const { row, given } = pair;
  const listed = listedBy(facts, pair, { revision: row.revision, given }, settings);
  return listed.some(({ on }) => on === row.on) || (given !== null && slowPosition(row, given, listed) >= 0);
}

/** Whether a date is within the member's time by these settings. */
export const isInTime = (
  { stored }: Pick<Pair, 'stored'>,
  { own, days, joinedOn }: Pick<Course, 'own' | 'days' | 'joinedOn'>,
  on: string,
): boolean => isWithin(slowTime({ joinedOn: joinedOn ?? stored?.joinedOn ?? null, own, days }), on);

/** The server's times are not the true ones then. */
export const clockMoves = ({ run }: Pick<Facts, 'run'>): boolean =>
  run.scenario.faults.some(({ what }) => what === 'clock');

export const stamp = (at: number) => new Date(at).toISOString();
