import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { findUnjustPushes } from './justice.ts';
import { lookAtBroken, lookAtPlaces, lookAtRows, type Place, type Row } from './look.ts';
import { createExpectations, type Expectations } from './oracle/expected.ts';
import type { Accepted } from './push.ts';
import type { MemberRecord, SurveyRecord } from './record.ts';
import type { Run } from './run.ts';

export type Finished = Omit<Run, 'violations'>;

/** Where the members, the surveys and the database are looked up together. */
export interface Case {
  run: Finished;
  rows: Row[];
  places: Place[];
  expect: Expectations;
}

/** How long after it is due something may still wait for its alarm at the end. */
const graceMs = 3 * 60_000;

/** Checks the invariants of the design at the end of a run; each violation is a sentence. */
export async function findViolations(run: Finished): Promise<string[]> {
  const [rows, places, broken] = await Promise.all([
    lookAtRows(run.database),
    lookAtPlaces(run.database),
    lookAtBroken(run.database),
  ]);
  const all: Case = { run, rows, places, expect: createExpectations(run.world.at()) };
  return [...broken, ...findWrongPlans(all), ...findLost(all), ...findRepeats(all), ...findUnjustPushes(all)];
}

/** Invariant 1: the one pending row is the next occurrence, or there is none because the series is over. */
function findWrongPlans(all: Case): string[] {
  const { run, rows, places, expect } = all;
  const pending = rows.filter((row) => row.settledAt === null);
  const wrong: string[] = [];
  for (const [member, survey] of pairs(all)) {
    const place = places.find((one) => one.user === member.id && one.survey === survey.id);
    const found = pending.filter((row) => row.user === member.id && row.survey === survey.id);
    const next = place ? nextOf(all, member, survey, place) : null;
    const label = `${member.name}, ${survey.name}`;
    if (member.member.last() !== (place !== undefined) && !member.deleted && run.refusals.length === 0)
      wrong.push(`${label}: member ${member.member.last()}, but the database says otherwise`);
    const shown = found.map(({ on, dueAt, revision, counter }) => ({ on, dueAt, revision, counter }));
    if (JSON.stringify(shown) !== JSON.stringify(next ? [next] : []))
      wrong.push(`${label}: expected to be pending: ${show(next ? [next] : [])}; found ${show(shown)}`);
    for (const row of found)
      if (row.dueAt < run.world.now() - graceMs) wrong.push(`${label}: ${row.on} is overdue and not settled`);
  }
  const known = new Set([...pairs(all)].map(([member, survey]) => `${member.id} ${survey.id}`));
  for (const row of pending)
    if (!known.has(`${row.user} ${row.survey}`)) wrong.push(`${row.on}: a stray row`);
  return wrong;

  function nextOf({ run: { records } }: Case, member: MemberRecord, survey: SurveyRecord, place: Place) {
    if (survey.archived.last() || records.study.archived.last()) return null;
    const inputs = inputsOf(all, member, survey, place);
    const { revision } = survey.reminders.last();
    const settled = settledThrough(rows, member, survey, revision);
    for (const { on, counter } of expect.dates(inputs)) {
      if (on <= settled || Date.parse(on) < place.since - 3 * 86_400_000) continue;
      const dueAt = expect.due(on, inputs);
      if (dueAt > place.since) return { on, dueAt, revision, counter };
    }
    return null;
  }
}

/** Invariant 4: no date up to the newest settled one is without a row, unless it once did not exist. */
function findLost(all: Case): string[] {
  const { rows, places, run, expect } = all;
  const lost: string[] = [];
  for (const [member, survey] of pairs(all)) {
    const place = places.find((one) => one.user === member.id && one.survey === survey.id);
    if (!place) continue;
    const { revision, given } = survey.reminders.last();
    const settled = settledThrough(rows, member, survey, revision);
    const seen = new Set(
      rows
        .filter((r) => r.user === member.id && r.survey === survey.id && r.revision === revision)
        .map((r) => r.on),
    );
    const inputs = inputsOf(all, member, survey, place);
    for (const { on } of expect.dates(inputs)) {
      if (on > settled || seen.has(on)) continue;
      if (Date.parse(on) < place.since - 3 * 86_400_000) continue;
      const existed = everyPlace(all, member).every(({ timeZone, time, start }) => {
        const first = inputs.given?.type === 'fixed' ? inputs.start : start;
        const listed = expect.dates({ given, start: first }).some((date) => date.on === on);
        return listed && expect.due(on, { given, timeZone, time }) > place.since;
      });
      if (existed) lost.push(`${member.name}, ${survey.name}: ${on} was due and has no record`);
    }
  }
  for (const row of rows) {
    const explained = row.state === 'sent' || (row.state !== null && row.reason !== null);
    if (row.settledAt !== null && !explained)
      lost.push(`${row.on}: settled as ${row.state} without a reason`);
  }
  const pushed = new Set(run.relay.accepted.map((one) => one.collapseId));
  for (const row of rows)
    if (row.state === 'sent' && !pushed.has(idOf(row))) lost.push(`${row.on}: said to be sent, and was not`);
  return lost;
}

/** Invariant 2: no phone gets two pushes for one occurrence, unless the run before it never came to record its own. */
function findRepeats({ run, rows }: Case): string[] {
  const repeats: string[] = [];
  const known = new Map<string, Accepted>();
  const inRun = new Map<string, Accepted>();
  for (const push of run.relay.accepted) {
    const key = `${push.token} ${push.collapseId}`;
    const before = known.get(key);
    if (before && !isExcused(before))
      repeats.push(`${push.token} got '${push.title}' twice: ${stamp(before.at)} and ${stamp(push.at)}`);
    known.set(key, push);
    const visit = `${push.token} ${push.survey} ${push.task?.name} ${push.runSince}`;
    const other = inRun.get(visit);
    if (other && other.task === push.task && other.collapseId !== push.collapseId)
      repeats.push(`${push.token} got two reminders of one survey at ${stamp(push.at)}`);
    inRun.set(visit, push);
  }
  for (const row of rows) {
    const sure = run.relay.accepted.find((push) => push.collapseId === idOf(row) && !isExcused(push));
    if (sure && row.settledAt !== null && row.state !== 'sent' && row.state !== 'invalidated')
      repeats.push(`${row.on}: reached a phone at ${stamp(sure.at)}, and was settled as ${row.state}`);
  }
  return repeats;
}

/** Its sender died, failed to write it down, or was never told that it went out. */
const isExcused = ({ task, told }: Accepted) => !told || task === undefined || task.dead || task.failed;

export const idOf = (row: Pick<Row, 'user' | 'survey' | 'revision' | 'on'>) =>
  occurrenceIdentifier(row.user, row.survey, row.revision, row.on);

export function* pairs({ run: { records } }: Case): Generator<[MemberRecord, SurveyRecord]> {
  for (const member of records.members.values())
    for (const survey of records.surveys.values()) yield [member, survey];
}

export function inputsOf(
  { run: { records } }: Case,
  member: MemberRecord,
  survey: SurveyRecord,
  place: Place,
) {
  const { given } = survey.reminders.last();
  return {
    given,
    start: given?.type === 'fixed' ? place.downloadedOn : records.study.startsOn.last(),
    timeZone: place.deviceZone ?? member.home.last() ?? records.study.timeZone.last(),
    time: member.time.last(),
  };
}

/** All combinations of zone, time and start that ever held for the member. */
export function everyPlace(
  { run: { records } }: Case,
  member: MemberRecord,
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
) {
  const homes = member.home.possible(from, until);
  const studies = records.study.timeZone.possible(from, until);
  const fallback = homes.flatMap((home) => (home === null ? studies : [home]));
  const zones = member.away.possible(from, until).flatMap((away) => (away === null ? fallback : [away]));
  return [...new Set(zones)].flatMap((timeZone) =>
    [...new Set(member.time.possible(from, until))].flatMap((time) =>
      [...new Set(records.study.startsOn.possible(from, until))]
        .filter((start) => start !== '')
        .map((start) => ({ timeZone, time, start })),
    ),
  );
}

/** The newest settled date, or nothing. */
function settledThrough(rows: Row[], member: MemberRecord, survey: SurveyRecord, revision: number): string {
  const settled = rows.filter(
    (row) =>
      row.user === member.id &&
      row.survey === survey.id &&
      row.revision === revision &&
      row.settledAt !== null,
  );
  return (
    settled
      .map((row) => row.on)
      .sort()
      .at(-1) ?? ''
  );
}

export const stamp = (at: number) => new Date(at).toISOString();
const show = (list: { on: string; dueAt: number; revision: number; counter: number }[]) =>
  list.length === 0
    ? 'nothing'
    : list.map((r) => `${r.on} at ${stamp(r.dueAt)} (${r.revision}/${r.counter})`).join(', ');
