import { askFounder, dateAt, datesAround, drawing } from './compliance-questions.ts';
import { seeded } from './determinism.ts';
import { clockMoves, type Facts, lastCourse, type Pair, stamp } from './facts.ts';
import {
  type Asked,
  type Booked,
  bookedIn,
  type Counts,
  count,
  countsIn,
  datesOf,
  isSilent,
} from './oracle/counts.ts';
import { slowTime } from './oracle/course.ts';
import { slowFits } from './oracle/groups.ts';
import { hasOutcome, readStandings, type Standing } from './tables.ts';

const reasons = ['unreachable', 'paused', 'silent', 'never-downloaded', 'date-missing'];
/** Questions after a run, each with a period, a survey and an attention of its own. */
const questions = 4;

interface Question extends Asked {
  attention?: string | undefined;
  limit: number;
}

interface Row extends Counts {
  user: string;
  attention: string[];
  time?: string;
}

/**
 * Checks that the routes of compliance answer the sums of the settled occurrences, one by one: for each participant, for
 * all and for each date, in any period, for any survey and attention.
 */
export async function findWrongCompliance(facts: Facts): Promise<string[]> {
  const { run } = facts;
  const standings = await readStandings(run.database);
  const random = seeded(run.scenario.seed + 3);
  const wrong = clockMoves(facts) ? [] : findWrongReactions(facts);
  for (let n = 0; n < questions; n++) {
    const question = n === 0 ? { ...datesAround(facts), limit: 100 } : ask(facts, random);
    wrong.push(...(await compare(facts, standings, question)));
  }
  return wrong;
}

/** Periods around the run, and surveys and attentions, at random. */
function ask(facts: Facts, random: () => number): Question {
  const { below, from, to, survey } = drawing(facts, random);
  return {
    from: from(),
    to: to(),
    survey: random() < 0.4 ? survey() : undefined,
    attention: random() < 0.4 ? reasons[below(reasons.length)] : undefined,
    limit: 1 + below(3),
  };
}

const bookedOf = ({ rows }: Facts): Booked[] =>
  rows.filter(hasOutcome).map((row) => ({
    ...row,
    shown: row.shownAt !== null,
    opened: row.openedAt !== null,
    answered: row.answeredAt !== null,
    late: row.answeredLate !== null,
  }));

async function compare(facts: Facts, standings: Standing[], question: Question): Promise<string[]> {
  const { participants, totals, days } = await answer(facts, question);
  const all = bookedOf(facts);
  const booked = bookedIn(all, question);
  const label = `compliance ${question.from} to ${question.to}${question.survey ? `, ${question.survey}` : ''}`;
  const wrong: string[] = [];
  const check = (what: string, found: unknown, expected: unknown) => {
    if (show(found) !== show(expected))
      wrong.push(`${label}: ${what}: ${show(found)}, expected ${show(expected)}`);
  };

  const expected = standings
    .map((one) => ({
      user: one.user,
      ...count(booked.filter(({ user }) => user === one.user)),
      attention: attentionOf(facts, all, one, question),
    }))
    .filter(({ attention }) => !question.attention || attention.includes(question.attention));
  check(
    `the users with attention ${question.attention}`,
    participants.map(({ user }) => user),
    expected.map(({ user }) => user),
  );
  for (const one of expected) {
    const found = participants.find(({ user }) => user === one.user);
    if (!found) continue;
    check(`the counts of ${one.user}`, countsIn(found), countsIn(one));
    check(`the time of ${one.user}`, found.time ?? 'without', stateOfTime(facts, one.user) ?? 'without');
    check(`the attention of ${one.user}`, found.attention.toSorted(), one.attention.toSorted());
  }
  check('the totals', countsIn(totals), count(booked));
  check(
    'the days',
    days.map((day) => [day.date, countsIn(day)]),
    datesOf(question).map((date) => [date, count(booked.filter(({ on }) => on.startsWith(date)))]),
  );
  for (const row of [...participants, totals, ...days]) {
    const skipped = Object.values(row.skipped).reduce((sum, n) => sum + n, 0);
    check('due', row.due, row.sent + row.failed + skipped);
  }
  return wrong;
}

/** Page by page, as the founder reads it. */
async function answer(facts: Facts, { attention, limit, ...asked }: Question) {
  const participants: Row[] = [];
  let totals: Counts | undefined;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await askFounder(facts, 'compliance', { ...asked, attention, limit, cursor });
    totals ??= page.totals;
    participants.push(...page.participants);
    cursor = page.next;
  }
  const { days } = await askFounder(facts, 'compliance/daily', asked);
  return { participants, totals: totals as Counts, days: days as (Counts & { date: string })[] };
}

/** Whether a participant is before, in or after their time, by the date of UTC; undefined: their time has no bounds. */
function stateOfTime({ run, pairs }: Facts, user: string): string | undefined {
  const pair = pairs.find(({ member, stored }) => stored && member.id === user);
  const { own, days } = lastCourse({ run }, (pair as Pair).member);
  const { from, until } = slowTime({ joinedOn: pair?.stored?.joinedOn ?? null, own, days });
  const today = dateAt(run.world.now());
  if (from === null && until === null) return undefined;
  if (from !== null && today < from) return 'before';
  return until !== null && until < today ? 'after' : 'in';
}

/** Whether one lacks a date from which reminders count. */
const lacksDate = ({ run, pairs }: Facts, user: string): boolean =>
  [...run.records.surveys.values()].some(({ archived, reminders, for: rule }) => {
    const { from } = (reminders.last().given ?? {}) as { from?: { date?: string } | string };
    const date = typeof from === 'object' ? from.date : undefined;
    const pair = pairs.find((one) => one.stored && one.member.id === user);
    const isFor = slowFits(rule.last(), pair?.member.properties.last() ?? {});
    return date !== undefined && isFor && !archived.last() && pair?.stored?.dates[date] === undefined;
  });

function attentionOf(
  facts: Facts,
  all: Booked[],
  { user, reachable, downloaded, pausedUntil }: Standing,
  { survey }: Asked,
): string[] {
  const { run } = facts;
  // Nobody needs attention any more whose time is over.
  if (stateOfTime(facts, user) === 'after') return [];
  const own = facts.pairs.find((one) => one.stored && one.member.id === user)?.member.properties.last() ?? {};
  const taken = [...run.records.surveys.values()].filter((one) => slowFits(one.for.last(), own));
  const isSilentIn = taken.some(
    ({ id, archived }) =>
      !archived.last() && (survey === undefined || survey === id) && isSilent(all, { user, survey: id }),
  );
  return [
    ...(!reachable ? ['unreachable'] : []),
    ...(pausedUntil > run.world.now() ? ['paused'] : []),
    ...(isSilentIn ? ['silent'] : []),
    ...(!taken.some(({ id }) => downloaded.includes(id)) ? ['never-downloaded'] : []),
    ...(lacksDate(facts, user) ? ['date-missing'] : []),
  ];
}

/** Accepted receipts are noted, and no reminder is opened or answered by itself. */
function findWrongReactions({ run, pairs, occurrenceOf, setAside }: Facts): string[] {
  const opened = new Map<string, boolean>();
  for (const { opens } of run.records.members.values())
    for (const { notification, sure } of opens)
      opened.set(notification, opened.get(notification) === true || Number.isFinite(sure));
  const shown = new Set(
    [...run.records.members.values()].flatMap(({ reports }) =>
      reports.flatMap(({ notifications, sure }) => (Number.isFinite(sure) ? notifications : [])),
    ),
  );
  const unnoted = [...shown].flatMap((id) => {
    const row = occurrenceOf(id);
    return row && row.shownAt === null ? [`${row.on}: was shown, which is not noted`] : [];
  });
  const lost = [...opened].flatMap(([id, isSure]) => {
    const row = occurrenceOf(id);
    return row && isSure && row.openedAt === null ? [`${row.on}: was opened, which is not noted`] : [];
  });
  const invented = pairs.flatMap(({ member, survey, rows }) =>
    rows.flatMap(({ on, answeredAt, dueAt, openedAt, revision, state }) => {
      const answer = member.answers.find(
        (one) =>
          one.survey === survey.id && one.fromNow <= Number(answeredAt) && Number(answeredAt) <= one.sureNow,
      );
      const isSetAside = setAside.some(
        (one) => one.responder === member.id && one.survey === survey.id && one.given === answeredAt,
      );
      const wrong: string[] = [];
      if (answeredAt !== null && !answer && !isSetAside)
        wrong.push(`${on} (${revision}): answered at ${stamp(answeredAt)}, when it was not`);
      // A reminder that was answered before it was due may not come.
      if (answeredAt !== null && answeredAt >= dueAt && state === 'invalidated')
        wrong.push(`${on} (${revision}): answered at ${stamp(answeredAt)}, and counts nowhere`);
      if (
        openedAt !== null &&
        !member.opens.some(({ fromNow, sureNow }) => fromNow <= openedAt && openedAt <= sureNow)
      )
        wrong.push(`${on} (${revision}): opened at ${stamp(openedAt)}, when it was not`);
      return wrong;
    }),
  );
  return [...unnoted, ...lost, ...invented];
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === 'object' && 'due' in one ? countsIn(one as Counts) : one,
  );
