import { occurrenceIdentifier } from '../src/identifiers.ts';
import type { Finished } from './context.ts';
import { wallAt } from './oracle/clock.ts';
import type { Draw } from './oracle/draws.ts';
import { createExpectations, type Expectations } from './oracle/expected.ts';
import type { MemberRecord, SurveyRecord } from './records.ts';
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
  { run: { records } }: Facts,
  member: MemberRecord,
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
) {
  const homes = member.home.possible(from, until);
  const studies = records.study.timeZone.possible(from, until);
  const fallback = homes.flatMap((home) => (home === null ? studies : [home]));
  const zones = member.away.possible(from, until).flatMap((away) => (away === null ? fallback : [away]));
  const starts = records.study.startsOn.possible(from, until).filter((start) => start !== '');
  return [...new Set(zones)].flatMap((timeZone) =>
    [...new Set(member.time.possible(from, until))].flatMap((time) =>
      [...new Set(starts)].flatMap((start) =>
        [...new Set(studies)].map((studyZone) => ({ timeZone, studyZone, time, start })),
      ),
    ),
  );
}

export const stamp = (at: number) => new Date(at).toISOString();
