import { type SQL, sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import { Problem } from '../errors.ts';
import { givenAt } from '../items/schema.ts';
import { knownTo, requireKnownFilter } from '../permissions/declared-properties.ts';
import { fits, type Property } from '../permissions/groups.ts';
import type { Role } from '../permissions/roles.ts';
import { shownTo } from '../permissions/shown-people.ts';
import { type Me, requireStaff, selectRole } from '../permissions/visibility.ts';
import { localDate } from '../schedule/civil.ts';
import { dayOf } from '../schedule/days.ts';
import { endOfWalk, type Place, walkCombinations } from './combinations.ts';
import { type Counts, countsIn, type Sums, sumOf } from './counts.ts';
import {
  type Asked,
  type Asking,
  askedSurveys,
  byStaff,
  isHidden,
  isPart,
  myScope,
  readsOthers,
} from './filter.ts';
import { cutEnd, namesOf, type ParticipantPage, usersOf } from './pages.ts';
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
 * The latest date of a study so far, for its staff: today in the study's zone, or a later date on which a reminder was due
 * for somebody ahead of that zone whom they see. One round trip. @throws resource.not-found, action.forbidden
 */
export async function readLatestDate(context: Asking, investigation: string): Promise<string> {
  const { db, actor, now } = context;
  const asked = { investigation };
  const [[me], [study]] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        timeZone: sql<string>`i.time_zone`.as('time_zone'),
        counted: sql<string>`coalesce(iif(${myScope(context, asked)} is null,
          (select max(${latestOf(sql`s.id`, sql`''`)}) from (${askedSurveys(context, asked)}) s),
          (with recursive ${walkCombinations(context, asked)}
            select max(${latestOf(sql`f.survey`, sql`f.properties`)}) from fitting f)), '')`.as('counted'),
      })
      .from(sql`investigation i`)
      .where(sql`i.id = ${investigation} and ${byStaff(context, asked)}`),
  ]);
  requireStaff(me, readsOthers);
  const today = localDate(now, study?.timeZone ?? 'UTC');
  return study && study.counted > today ? study.counted : today;
}

/** In SQL: the latest date with counts of a survey and a combination. */
const latestOf = (survey: SQL, combination: SQL) => sql`(select c.date from survey_compliance c
  where c.survey_id = ${survey} and c.properties = ${combination} and c.n > 0 order by c.date desc limit 1)`;

/**
 * The compliance of a study's participants in a period, by identifier, with one extra row if more remain, or fewer, if the
 * search goes on behind `end`; and the totals of everyone, former participants included, as the actor sees and asks for them.
 * One round trip, and one for each further 15 surveys or combinations with a year each.
 * @throws request.invalid, resource.not-found, action.forbidden
 */
export async function listCompliance(
  context: Asking,
  asked: Asked,
  { totals, ...page }: ParticipantPage & { totals: boolean },
) {
  const { db } = context;
  const counting = { by: 'outcome', asks: totals } as const;
  const [[me], [found], counted, parts, participants, [member]] = await db.batch([
    ...selectAsked(context, asked, { withDeclared: !totals }),
    selectCounts(context, asked, counting),
    selectParts(context, asked, counting),
    selectPage(context, asked, page),
    selectMember(context, asked, page),
  ]);
  const { role, known, isOfPart } = check(me, found, asked);
  requireMember(page, member);
  const cut = cutEnd(participants);
  const rows = cut.rows.map(
    ({ counts, unreachable, silent, neverDownloaded, isPaused, dateMissing, properties, ...row }) => {
      const needed: Record<AttentionReason, boolean> = {
        unreachable: unreachable === 1,
        paused: isPaused === 1,
        silent: silent === 1,
        'never-downloaded': neverDownloaded === 1,
        'date-missing': dateMissing === 1,
      };
      return {
        ...shownTo(role, row),
        properties: propertiesIn(properties),
        reachable: row.reachable === 1,
        counts: countsIn(JSON.parse(counts) as Sums),
        attention: attentionReasons.filter((reason) => needed[reason]),
      };
    },
  );
  return {
    totals: sumOf(
      await allCounts(context, asked, counting, { counted, parts, surveys: found?.n ?? 0, isOfPart }),
    ),
    rows: rows.sort(byUser),
    end: cut.end,
    known,
  };
}

const propertiesIn = (shown: string | null) =>
  shown === null ? null : (JSON.parse(shown) as Record<string, string>);

/** SQLite would sort them by a copy, which D1 counts as reads. */
const byUser = (a: { user: string }, b: { user: string }) => (a.user < b.user ? -1 : 1);

export type Participant = Awaited<ReturnType<typeof listCompliance>>['rows'][number];

/**
 * The days of a study's participants in a period, by identifier, with one extra row if more remain: for each date with a due
 * reminder the numbers of `dayCounts`. One round trip. @throws request.invalid, resource.not-found, action.forbidden
 */
export async function listParticipantDays(context: Asking, asked: Asked, page: ParticipantPage) {
  const { db } = context;
  const [[me], [found], participants] = await db.batch([
    ...selectAsked(context, asked),
    db
      .select({ ...namesOf(context, asked), days: sql<string>`${daysOf(context, asked)}`.as('days') })
      .from(usersOf(context, asked, page)),
  ]);
  const { role } = check(me, found, asked);
  const cut = cutEnd(participants);
  const rows = cut.rows.map((row) => ({
    ...shownTo(role, row),
    properties: propertiesIn(row.properties),
    days: JSON.parse(row.days) as [date: string, ...counts: number[]][],
  }));
  return { rows: rows.sort(byUser), end: cut.end };
}

export type ParticipantDays = Awaited<ReturnType<typeof listParticipantDays>>['rows'][number];

/**
 * The counts of each date with due reminders. One round trip, and more as above.
 * @throws request.invalid, resource.not-found, action.forbidden
 */
export async function readDailyCompliance(context: Asking, asked: Asked): Promise<Map<string, Counts>> {
  const counting = { by: 'date, outcome', asks: true } as const;
  const [[me], [found], counted, parts] = await context.db.batch([
    ...selectAsked(context, asked),
    selectCounts(context, asked, counting),
    selectParts(context, asked, counting),
  ]);
  const { isOfPart } = check(me, found, asked);
  const surveys = found?.n ?? 0;
  const all = await allCounts(context, asked, counting, { counted, parts, surveys, isOfPart });
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

/** The requested member, if the actor sees them: staff see all of the staff, and themselves. */
export const selectMember = (
  context: Asking,
  { investigation }: Pick<Asked, 'investigation'>,
  { user }: Pick<ParticipantPage, 'user'>,
) =>
  context.db
    .select({ user: sql<string>`m.user_id`.as('user_id') })
    .from(sql`current_member m`)
    .where(
      sql`m.investigation_id = ${investigation} and m.user_id = ${user ?? ''} and (m.role <> 'responder'
        or m.user_id = ${context.actor} or ${fits(myScope(context, { investigation }), sql`m.properties`)})`,
    );

/**
 * The reader's role, and the properties that they know of, if those were read.
 * @throws request.invalid, resource.not-found, action.forbidden
 */
export function check(
  me: Me | undefined,
  found: FoundPart | undefined,
  { survey, property }: Pick<Asked, 'survey' | 'property'>,
): Reader {
  requireStaff(me, readsOthers);
  if (survey !== undefined && found?.n === 0)
    throw new Problem('resource.not-found', 'There is no such survey in this study.', {
      errors: [{ parameter: 'survey', detail: 'Expected the identifier of a survey of this study.' }],
    });
  const known = knownTo(me.role, found?.declared ? (JSON.parse(found.declared) as Property[]) : null);
  requireKnownFilter(property, known);
  return { role: me.role, known, isOfPart: me.scope !== null || property !== undefined };
}

interface Reader {
  role: Role;
  known: readonly Property[];
  /** Not everybody of the study is asked for. */
  isOfPart: boolean;
}

/** The number of the requested surveys that the actor sees, and the properties that the study declares, if they are needed. */
interface FoundPart {
  n: number;
  declared: string | null;
}

/** The actor's role and scope, and the requested part of the study. */
export const selectAsked = (
  context: Asking,
  asked: Pick<Asked, 'investigation' | 'survey' | 'property'>,
  { withDeclared = false }: { withDeclared?: boolean } = {},
) =>
  [
    selectRole(context.db, asked.investigation, context.actor),
    context.db
      .select({
        n: sql<number>`count(*)`.as('n'),
        declared: sql<string | null>`${
          withDeclared || asked.property
            ? sql`(select i.course -> '$.properties' from investigation i where i.id = ${asked.investigation})`
            : sql`null`
        }`.as('declared'),
      })
      .from(sql`(${askedSurveys(context, asked)})`),
  ] as const;

/** Surveys that are added up before other work has a turn: a year of so many took some 25 ms. */
const surveysAtOnce = 15;
const longestDays = 366;

interface Counting {
  by: 'outcome' | 'date, outcome';
  /** Without it nothing is counted. */
  asks: boolean;
}

/** The totals of everybody in a slice of the surveys in the period; nothing if a part of the study is asked for. */
const selectCounts = (context: Asking, asked: Asked, { by, asks }: Counting, from = 0) =>
  context.db
    .select({ date: sql<string>`date`.as('date'), ...countFields })
    .from(sql`(${askedSurveys(context, asked)} order by s.investigation_id, s.created_at, s.id
        limit iif(${isPart(context, asked)}, 0, ${sql.raw(String(surveysAtOnce))}) offset ${from}) s
      cross join survey_compliance c on c.survey_id = s.id and c.properties = '' and c.date between ${asked.from} and ${asked.to}`)
    .where(sql`${Number(asks)} and ${byStaff(context, asked)}`)
    .groupBy(sql.raw(by));

type Counted = Awaited<ReturnType<typeof selectCounts>>;

/** The totals of the requested part of the study, of a slice of its combinations; and the place at which that ends. Nothing for everybody. */
const selectParts = (context: Asking, asked: Asked, { by, asks }: Counting, place?: Place) => {
  const days = dayOf(asked.to) - dayOf(asked.from) + 1;
  const most = sql.raw(String(Math.ceil((surveysAtOnce * longestDays) / days)));
  return context.db
    .select({
      date: sql<string>`date`.as('date'),
      outcome: sql<string>`outcome`.as('outcome'),
      n: sql<number>`n`.as('n'),
      shown: sql<number>`shown`.as('shown'),
      opened: sql<number>`opened`.as('opened'),
      answered: sql<number>`answered`.as('answered'),
      answeredLate: sql<number>`answered_late`.as('answered_late'),
      survey: sql<string | null>`survey`.as('survey'),
      combination: sql<string | null>`combination`.as('combination'),
    })
    .from(sql`(with recursive ${walkCombinations(context, asked, { place, most })}
      select c.date, outcome, sum(n) as n, sum(shown) as shown, sum(opened) as opened, sum(answered) as answered,
        sum(answered_late) as answered_late, null as survey, null as combination
      from fitting f cross join survey_compliance c
        on c.survey_id = f.survey and c.properties = f.properties and c.date between ${asked.from} and ${asked.to}
      where ${byStaff(context, asked)} group by ${sql.raw(by)}
      union all select null, null, null, null, null, null, null, survey, combination from (${endOfWalk(most)}))
      limit iif(${Number(asks)} and ${isPart(context, asked)}, -1, 0)`);
};

type Parts = Awaited<ReturnType<typeof selectParts>>;

/** The totals, with those of the slices behind the first ones. A round trip for each slice. */
async function allCounts(
  context: Asking,
  asked: Asked,
  counting: Counting,
  {
    counted,
    parts,
    surveys,
    isOfPart,
  }: { counted: Counted; parts: Parts; surveys: number; isOfPart: boolean },
) {
  const found: Counted = [...counted];
  const next = (some: Parts): Place | undefined => {
    found.push(...some.filter(({ survey }) => survey === null));
    const end = some.find(({ survey }) => survey !== null);
    return end && { survey: end.survey as string, combination: end.combination };
  };
  for (let place = next(parts); place; ) {
    await breathe();
    place = next(await selectParts(context, asked, counting, place));
  }
  const all = counting.asks && !isOfPart ? surveys : 0;
  for (let from = surveysAtOnce; from < all; from += surveysAtOnce) {
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

/** In SQL: the actor sees all surveys. The last contact of an app or a page would tell of others. */
const isSeenWhole = (context: Asking, { investigation }: Asked) => sql`not exists (
  select 1 from survey h where h.investigation_id = ${investigation} and h.blinded and ${isHidden(context, {}, sql`h.id`)})`;

function selectPage(context: Asking, asked: Asked, page: ParticipantPage) {
  const { db } = context;
  const { investigation } = asked;
  const reasons = reasonsOf(context, asked);
  // A response arrives after it was given: only responses that arrived since the newest arrival was given can be newer.
  const isAnswer = sql`r.responder_id = u.id and r.investigation_id = ${investigation} and r.deleted_at is null
    and not ${isHidden(context, {}, sql`r.survey_id`)}`;
  return db
    .select({
      ...namesOf(context, asked),
      counts: sql<string>`${countsOf(context, asked)}`.as('counts'),
      lastAnsweredAt: sql<number | null>`(select max(${givenAt('r')}) from response r where ${isAnswer}
        and r.created_at >= (select ${givenAt('r')} from response r where ${isAnswer}
          order by r.created_at desc limit 1))`.as('last_answered_at'),
      lastSeenAt: sql<number | null>`iif(${isSeenWhole(context, asked)}, nullif(max(coalesce(u.seen_at, 0),
        coalesce((select max(d.seen_at) from device d where d.user_id = u.id), 0)), 0), null)`.as(
        'last_seen_at',
      ),
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
