import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import { Problem } from '../errors.ts';
import { givenAt } from '../items/schema.ts';
import type { Role } from '../permissions/roles.ts';
import { shownTo } from '../permissions/shown-people.ts';
import { requireStaff, selectRole } from '../permissions/visibility.ts';
import { localDate } from '../schedule/civil.ts';
import { type Counts, countsIn, type Sums, sumOf } from './counts.ts';
import { type Asked, type Asking, askedSurveys, byStaff, readsOthers } from './filter.ts';
import { endOf, namesOf, type ParticipantPage, usersOf } from './pages.ts';
import { countsOf, daysOf } from './participant-counts.ts';
import {
  type AttentionReason,
  attentionReasons,
  isReachable,
  reasonsOf,
  type TimeState,
  timeState,
} from './reasons.ts';

/**
 * The latest date of a study so far, for its owners and editors: today in the study's zone, or a later date on which a
 * reminder was due for somebody ahead of that zone. One round trip. @throws resource.not-found, action.forbidden
 */
export async function readLatestDate(context: Asking, investigation: string): Promise<string> {
  const { db, actor, now } = context;
  const [[me], [study]] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        timeZone: sql<string>`i.time_zone`.as('time_zone'),
        counted: sql<string>`coalesce((select max((select c.date from survey_compliance c
          where c.survey_id = s.id and c.n > 0 order by c.date desc limit 1))
          from survey s where s.investigation_id = i.id), '')`.as('counted'),
      })
      .from(sql`investigation i`)
      .where(sql`i.id = ${investigation} and ${byStaff(context, { investigation })}`),
  ]);
  requireStaff(me, readsOthers);
  const today = localDate(now, study?.timeZone ?? 'UTC');
  return study && study.counted > today ? study.counted : today;
}

/**
 * The compliance of a study's participants in a period, by identifier, with one extra row if more remain; and the totals of
 * everyone, former participants included. One round trip, one for each further 15 surveys, and one for the end of a page
 * of those who need attention that is not full.
 * @throws resource.not-found, action.forbidden
 */
export async function listCompliance(
  context: Asking,
  asked: Asked,
  { totals, ...page }: ParticipantPage & { totals: boolean },
) {
  const { db } = context;
  const counting = { by: 'outcome', asks: totals } as const;
  const [[me], [surveys], counted, participants, [member]] = await db.batch([
    ...selectAsked(context, asked),
    selectCounts(context, asked, counting),
    selectPage(context, asked, page),
    selectRole(db, asked.investigation, page.user ?? ''),
  ]);
  const role = check(me, surveys, asked);
  requireMember(page, member);
  const rows = participants.map(
    ({ counts, unreachable, silent, neverDownloaded, isPaused, dateMissing, ...row }) => {
      const needed: Record<AttentionReason, boolean> = {
        unreachable: unreachable === 1,
        paused: isPaused === 1,
        silent: silent === 1,
        'never-downloaded': neverDownloaded === 1,
        'date-missing': dateMissing === 1,
      };
      return {
        ...shownTo(role, row),
        reachable: row.reachable === 1,
        counts: countsIn(JSON.parse(counts) as Sums),
        attention: attentionReasons.filter((reason) => needed[reason]),
      };
    },
  );
  return {
    totals: sumOf([...counted, ...(await moreCounts(context, asked, surveys, counting))]),
    rows: rows.sort(byUser),
    end: await endOf(context, asked, page, rows),
  };
}

/** SQLite would sort them by a copy, which D1 counts as reads. */
const byUser = (a: { user: string }, b: { user: string }) => (a.user < b.user ? -1 : 1);

export type Participant = Awaited<ReturnType<typeof listCompliance>>['rows'][number];

/**
 * The days of a study's participants in a period, by identifier, with one extra row if more remain: for each date with a due
 * reminder the numbers of `dayCounts`. One round trip, and one for the end as above. @throws resource.not-found, action.forbidden
 */
export async function listParticipantDays(context: Asking, asked: Asked, page: ParticipantPage) {
  const { db } = context;
  const [[me], [surveys], found] = await db.batch([
    ...selectAsked(context, asked),
    db
      .select({ ...namesOf(asked), days: sql<string>`${daysOf(asked)}`.as('days') })
      .from(usersOf(context, asked, page)),
  ]);
  const role = check(me, surveys, asked);
  const rows = found.map((row) => ({
    ...shownTo(role, row),
    days: JSON.parse(row.days) as [date: string, ...counts: number[]][],
  }));
  return { rows: rows.sort(byUser), end: await endOf(context, asked, page, rows) };
}

export type ParticipantDays = Awaited<ReturnType<typeof listParticipantDays>>['rows'][number];

/**
 * The counts of each date with due reminders. One round trip, and one for each further 15 surveys.
 * @throws resource.not-found, action.forbidden
 */
export async function readDailyCompliance(context: Asking, asked: Asked): Promise<Map<string, Counts>> {
  const counting = { by: 'date, outcome', asks: true } as const;
  const [[me], [surveys], counted] = await context.db.batch([
    ...selectAsked(context, asked),
    selectCounts(context, asked, counting),
  ]);
  check(me, surveys, asked);
  const all = [...counted, ...(await moreCounts(context, asked, surveys, counting))];
  const byDate = Map.groupBy(all, ({ date }) => date);
  return new Map([...byDate].map(([date, some]) => [date, sumOf(some)]));
}

/** A requested user is a member. @throws resource.not-found */
export function requireMember({ user }: Pick<ParticipantPage, 'user'>, member: object | undefined): void {
  if (user !== undefined && !member)
    throw new Problem('resource.not-found', 'There is no such member of this study.', {
      errors: [{ parameter: 'user', detail: 'Expected the identifier of a member of this study.' }],
    });
}

/** The reader's role. @throws resource.not-found, action.forbidden */
export function check(
  me: { role: Role } | undefined,
  surveys: AskedSurveys | undefined,
  { survey }: Pick<Asked, 'survey'>,
): Role {
  requireStaff(me, readsOthers);
  if (survey !== undefined && surveys?.n === 0)
    throw new Problem('resource.not-found', 'There is no such survey in this study.', {
      errors: [{ parameter: 'survey', detail: 'Expected the identifier of a survey of this study.' }],
    });
  return me.role;
}

interface AskedSurveys {
  n: number;
}

/** The actor's role, and the number of the requested surveys that exist in the study. */
export const selectAsked = (context: Asking, asked: Pick<Asked, 'investigation' | 'survey'>) =>
  [
    selectRole(context.db, asked.investigation, context.actor),
    context.db.select({ n: sql<number>`count(*)`.as('n') }).from(sql`(${askedSurveys(asked)})`),
  ] as const;

/** Surveys that are added up before other work has a turn: a year of so many took some 25 ms. */
const surveysAtOnce = 15;

interface Counting {
  by: 'outcome' | 'date, outcome';
  /** Without it nothing is counted. */
  asks: boolean;
}

/** The totals of a slice of the surveys in the period. */
const selectCounts = (context: Asking, asked: Asked, { by, asks }: Counting, from = 0) =>
  context.db
    .select({ date: sql<string>`date`.as('date'), ...countFields })
    .from(sql`(${askedSurveys(asked)} order by s.investigation_id, s.created_at, s.id
        limit ${sql.raw(String(surveysAtOnce))} offset ${from}) s
      cross join survey_compliance c on c.survey_id = s.id and c.date between ${asked.from} and ${asked.to}`)
    .where(sql`${Number(asks)} and ${byStaff(context, asked)}`)
    .groupBy(sql.raw(by));

/** The totals of the surveys behind the first slice. A round trip for each slice. */
async function moreCounts(
  context: Asking,
  asked: Asked,
  surveys: AskedSurveys | undefined,
  counting: Counting,
) {
  const found: Awaited<ReturnType<typeof selectCounts>> = [];
  for (let from = surveysAtOnce; counting.asks && from < (surveys?.n ?? 0); from += surveysAtOnce) {
    await breathe();
    found.push(...(await selectCounts(context, asked, counting, from)));
  }
  return found;
}

const countFields = {
  outcome: sql<string>`outcome`.as('outcome'),
  n: sql<number>`sum(n)`.as('n'),
  shown: sql<number>`sum(shown)`.as('shown'),
  opened: sql<number>`sum(opened)`.as('opened'),
  answered: sql<number>`sum(answered)`.as('answered'),
  answeredLate: sql<number>`sum(answered_late)`.as('answered_late'),
};

function selectPage(context: Asking, asked: Asked, page: ParticipantPage) {
  const { db } = context;
  const { investigation } = asked;
  const reasons = reasonsOf(context, asked);
  // A response arrives after it was given: only responses that arrived since the newest arrival was given can be newer.
  const isAnswer = sql`r.responder_id = u.id and r.investigation_id = ${investigation} and r.deleted_at is null`;
  return db
    .select({
      ...namesOf(asked),
      counts: sql<string>`${countsOf(asked)}`.as('counts'),
      lastAnsweredAt: sql<number | null>`(select max(${givenAt('r')}) from response r where ${isAnswer}
        and r.created_at >= (select ${givenAt('r')} from response r where ${isAnswer}
          order by r.created_at desc limit 1))`.as('last_answered_at'),
      lastSeenAt: sql<number | null>`nullif(max(coalesce(u.seen_at, 0),
        coalesce((select max(d.seen_at) from device d where d.user_id = u.id), 0)), 0)`.as('last_seen_at'),
      pausedUntil: sql<number>`max(coalesce(u.paused_until, 0), coalesce(p.paused_until, 0))`.as('until'),
      isPaused: sql<number>`${reasons.paused}`.as('is_paused'),
      dateMissing: sql<number>`${reasons['date-missing']}`.as('date_missing'),
      time: sql<TimeState | null>`${timeState(context.now)}`.as('time_state'),
      reachable: sql<number>`${isReachable}`.as('reachable'),
      unreachable: sql<number>`${reasons.unreachable}`.as('unreachable'),
      silent: sql<number>`${reasons.silent}`.as('silent'),
      neverDownloaded: sql<number>`${reasons['never-downloaded']}`.as('never_downloaded'),
    })
    .from(usersOf(context, asked, page));
}
