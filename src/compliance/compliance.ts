import { type SQL, sql } from 'drizzle-orm';
import { codeOf, userWithCode } from '../access/codes.ts';
import { pageBytes } from '../access/limits.ts';
import { selectRole, whenMember } from '../access/visibility.ts';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { givenAt } from '../items/schema.ts';
import { countInSlices, sliceRows } from '../log/data-exports.ts';
import { localDate } from '../schedule/civil.ts';
import { dayOf } from '../schedule/days.ts';
import { shownTo } from '../studies/members.ts';
import type { Role } from '../studies/role-schema.ts';
import { answeredBefore, type Counts, countedOutcomes, countsIn, sumOf } from './counts.ts';
import { memberAttention } from './schema.ts';

export const attentionReasons = ['unreachable', 'paused', 'silent', 'never-downloaded'] as const;
export type AttentionReason = (typeof attentionReasons)[number];

/** Dates on which reminders were due where the participants were, both included, and the requested part of the study. */
export interface ComplianceFilter {
  from: string;
  to: string;
  survey?: string | undefined;
}

export interface ParticipantPage {
  /** Only this member, if they take part. */
  user?: string | undefined;
  /** Only the member with this code. */
  code?: string | undefined;
  attention?: AttentionReason | undefined;
  /** The last user of the previous page. */
  after?: string | undefined;
  limit: number;
}

type Asking = Pick<Context, 'db' | 'now' | 'actor'>;
type Asked = ComplianceFilter & { investigation: string };

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
  requireStaff(me?.role);
  const today = localDate(now, study?.timeZone ?? 'UTC');
  return study && study.counted > today ? study.counted : today;
}

/**
 * The compliance of a study's participants in a period, by identifier, with one extra row if more remain; and the totals of
 * everyone, former participants included. One round trip, and one for each further 25 surveys.
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
    selectParticipants(context, asked, page),
    selectRole(db, asked.investigation, page.user ?? ''),
  ]);
  const role = check(me?.role, surveys, asked);
  if (page.user !== undefined && !member)
    throw new Problem('resource.not-found', 'There is no such member of this study.', {
      errors: [{ parameter: 'user', detail: 'Expected the identifier of a member of this study.' }],
    });
  return {
    totals: sumOf([...counted, ...(await moreCounts(context, asked, surveys, counting))]),
    rows: participants
      .map(({ counts, silent, neverDownloaded, ...row }) => {
        const needed: Record<AttentionReason, boolean> = {
          unreachable: row.reachable === 0,
          paused: row.pausedUntil > context.now,
          silent: silent === 1,
          'never-downloaded': neverDownloaded === 1,
        };
        return {
          ...shownTo(role, row),
          counts: countsIn(JSON.parse(counts) as (number | null)[]),
          attention: attentionReasons.filter((reason) => needed[reason]),
        };
      })
      // SQLite would sort them by a copy, which D1 counts as reads.
      .sort((a, b) => (a.user < b.user ? -1 : 1)),
  };
}

export type Participant = Awaited<ReturnType<typeof listCompliance>>['rows'][number];

/** The counts of a participant on a date, in the order in which {@link daysOf} counts. */
export const dayCounts = ['due', 'sent', 'failed', 'opened', 'answered', 'answeredLate'] as const;

/**
 * The days of a study's participants in a period, by identifier, with one extra row if more remain: for each date with a due
 * reminder the numbers of {@link dayCounts}. One round trip. @throws resource.not-found, action.forbidden
 */
export async function listParticipantDays(context: Asking, asked: Asked, page: ParticipantPage) {
  const { db } = context;
  const [[me], [surveys], found] = await db.batch([
    ...selectAsked(context, asked),
    db
      .select({ ...namesOf(asked), days: sql<string>`${daysOf(asked)}`.as('days') })
      .from(usersOf(context, asked, page)),
  ]);
  const role = check(me?.role, surveys, asked);
  return found
    .map((row) => ({
      ...shownTo(role, row),
      days: JSON.parse(row.days) as [date: string, ...counts: number[]][],
    }))
    .sort((a, b) => (a.user < b.user ? -1 : 1));
}

export type ParticipantDays = Awaited<ReturnType<typeof listParticipantDays>>[number];

/**
 * The counts of each date with due reminders. One round trip, and one for each further 25 surveys.
 * @throws resource.not-found, action.forbidden
 */
export async function readDailyCompliance(context: Asking, asked: Asked): Promise<Map<string, Counts>> {
  const counting = { by: 'date, outcome', asks: true } as const;
  const [[me], [surveys], counted] = await context.db.batch([
    ...selectAsked(context, asked),
    selectCounts(context, asked, counting),
  ]);
  check(me?.role, surveys, asked);
  const all = [...counted, ...(await moreCounts(context, asked, surveys, counting))];
  const byDate = Map.groupBy(all, ({ date }) => date);
  return new Map([...byDate].map(([date, some]) => [date, sumOf(some)]));
}

/** @throws resource.not-found, action.forbidden */
export const requireStaff = (role: Role | undefined): Role => {
  if (!role) throw notFound('investigation');
  if (role === 'responder') throw forbidden('Only owners and editors read the compliance of others.');
  return role;
};

function check(role: Role | undefined, surveys: AskedSurveys | undefined, { survey }: Asked): Role {
  const staff = requireStaff(role);
  if (survey !== undefined && surveys?.n === 0)
    throw new Problem('resource.not-found', 'There is no such survey in this study.', {
      errors: [{ parameter: 'survey', detail: 'Expected the identifier of a survey of this study.' }],
    });
  return staff;
}

/** In SQL: the requested surveys, one column. */
const askedSurveys = ({
  investigation,
  survey,
}: Pick<Asked, 'investigation' | 'survey'>): SQL => sql`select s.id from survey s
  where s.investigation_id = ${investigation} ${survey === undefined ? sql`` : sql`and s.id = ${survey}`}`;

const byStaff = ({ actor }: Asking, { investigation }: Pick<Asked, 'investigation'>) =>
  whenMember(investigation, actor, 'owner', 'editor');

interface AskedSurveys {
  n: number;
}

/** The actor's role, and the number of the requested surveys that exist in the study. */
const selectAsked = (context: Asking, asked: Asked) =>
  [
    selectRole(context.db, asked.investigation, context.actor),
    context.db.select({ n: sql<number>`count(*)`.as('n') }).from(sql`(${askedSurveys(asked)})`),
  ] as const;

/** Surveys that are added up before other work has a turn: a year of so many takes a thirtieth of a second. */
const surveysAtOnce = 25;

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

/** In SQL: rows of a page weigh by the surveys and the dates that each of them sums up: a year of 100 people took 0.3 s. */
const rowBytes = (asked: Asked) => sql`(select max(count(*) * 50,
  ${150 * (dayOf(asked.to) - dayOf(asked.from) + 1)}) from (${askedSurveys(asked)}))`;

/** The number of participants whom a filter finds, whatever their pages. */
export const countParticipants = (context: Asking, asked: Asked, page: Users) =>
  countInSlices<string>(async (after) => {
    const users = pageOf(context, asked, { ...page, after }, sql`${sql.raw(String(sliceRows))}`);
    const [slice] = await context.db
      .select({ n: sql<number>`count(*)`.as('n'), last: sql<string>`max(user)`.as('last') })
      .from(sql`(with page(user) as materialized (${users}) select user from page)`);
    return slice ?? { n: 0, last: '' };
  });

type Users = Pick<ParticipantPage, 'user' | 'code' | 'attention' | 'after'>;

/** In SQL: as many users as a page may have. */
const mostOf = (asked: Asked, limit: number) =>
  sql`(min(${limit + 1}, cast(${pageBytes} / ${rowBytes(asked)} as integer) + 2))`;

/** In SQL: `most` users of a list at most, one column. */
function pageOf(context: Asking, asked: Asked, { user, code, attention, after = '' }: Users, most: SQL): SQL {
  const { investigation } = asked;
  const of = (
    rows: SQL,
  ) => sql`select a.user from (${rows}) a where ${takesPart(investigation, sql`a.user`)} and ${byStaff(context, asked)}
    order by a.user limit ${most}`;
  const only = code === undefined ? user : userWithCode(investigation, code);
  const isAsked = only === undefined ? sql`` : sql`and m.user_id = ${only}`;
  if (attention === undefined)
    return sql`select m.user_id from current_member m where m.investigation_id = ${investigation}
      and m.user_id > ${after} ${isAsked} and m.participant_since is not null and ${byStaff(context, asked)}
      order by m.user_id limit ${most}`;
  if (attention === 'silent') return of(silentAfter(asked, after));
  const isNow = attention === 'paused' ? sql`and ${isPaused(context, investigation, sql`n.user_id`)}` : sql``;
  return of(sql`select n.user_id as user from ${memberAttention} n where n.investigation_id = ${investigation}
    and n.reason = ${attention} and n.user_id > ${after} ${isNow}`);
}

/**
 * In SQL: the silent users of the surveys, each once, in order: the next one is the first after it in any survey. Former
 * members are among them.
 */
export const silentAfter = (
  asked: Pick<Asked, 'investigation' | 'survey'>,
  after: string,
  end = sql``,
): SQL => {
  const next = (user: unknown) => sql`(select min((select min(q.user_id) from silent_participant q
    where q.survey_id = s.id and q.user_id > ${user})) from survey s where s.id in (${askedSurveys(asked)})
      and s.archived_at is null)`;
  return sql`with recursive silent(user) as (select ${next(after)} union all
    select ${next(sql`silent.user`)} from silent where silent.user is not null ${end})
    select user from silent where user is not null`;
};

/** In SQL: the address of the invitation that a member accepted. */
export const invitedAs = (investigation: string, user: SQL) =>
  sql<
    string | null
  >`(select m.invited_as from current_member m where m.investigation_id = ${investigation} and m.user_id = ${user})`;

/** In SQL: the user takes part in the study. */
export const takesPart = (investigation: string, user: SQL): SQL =>
  sql`exists (select 1 from current_member m where m.investigation_id = ${investigation} and m.user_id = ${user}
    and m.participant_since is not null)`;

/** In SQL: the end of the user's pauses, of all reminders or those of the study; 0 without one. */
const pausedUntil = (
  investigation: string,
  user: SQL,
  ofUser = sql`(select w.paused_until from user w where w.id = ${user})`,
) => sql`max(
  coalesce(${ofUser}, 0),
  coalesce((select w.paused_until from current_member w where w.investigation_id = ${investigation} and w.user_id = ${user}), 0))`;
/** In SQL: the user has paused all reminders or those of the study. */
export const isPaused = ({ now }: Pick<Context, 'now'>, investigation: string, user: SQL) =>
  sql`${pausedUntil(investigation, user)} > ${now}`;

/**
 * In SQL: the counted notifications of the user `u` in the period. Only notifications of the period are read, revision by
 * revision, and the counts of purged ones: each once. Begins with `with recursive`.
 */
const countedOf = ({ from, to, ...asked }: Asked, columns: SQL, end = sql``): SQL => {
  const nextRevision = (survey: SQL, behind: SQL) => sql`(select min(n.revision)
    from scheduled_notification n where n.user_id = u.id and n.survey_id = ${survey} ${behind})`;
  const month = (date: string) => date.slice(0, 7);
  return sql`with recursive asked(survey) as (${askedSurveys(asked)}),
    series(survey, revision) as (
      select q.survey, ${nextRevision(sql`q.survey`, sql``)} from asked q
      union all
      select r.survey, ${nextRevision(sql`r.survey`, sql`and n.revision > r.revision`)}
      from series r where r.revision is not null)
    select ${columns} from (
      select n.outcome, n.shown_at is not null as shown, n.opened_at is not null as opened,
        n.answered_at is not null as answered, n.answered_late is not null as late, substr(n.occurrence, 1, 10) as date
      from series r cross join scheduled_notification n on n.user_id = u.id and n.survey_id = r.survey
        and n.revision = r.revision and n.occurrence >= ${from} and n.occurrence <= ${`${to}/~`}
      where n.outcome is not null
      union all
      select j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 0
      from asked q cross join participant_compliance c
        on c.user_id = u.id and c.survey_id = q.survey and c.month between ${month(from)} and ${month(to)}
        cross join json_each(c.counts) j where j.value ->> 0 between ${from} and ${to}) ${end}`;
};

const wasAnsweredBefore = sql.raw(`outcome = '${answeredBefore}'`);
const answeredSum = sql`sum(answered or ${wasAnsweredBefore})`;
const answeredLateSum = sql`sum(late and not ${wasAnsweredBefore})`;

/** In SQL: the counts of the user `u`, for {@link countsIn}. With `group by` SQLite would sort the rows and read them again. */
const countsOf = (asked: Asked): SQL => {
  const outcomes = countedOutcomes.map((outcome) => sql.raw(`sum(outcome = '${outcome}')`));
  const sums = [sql`count(*), sum(shown), sum(opened)`, answeredSum, answeredLateSum, ...outcomes];
  return sql`(${countedOf(asked, sql`json_array(${sql.join(sums, sql`, `)})`)})`;
};

/** In SQL: for each date with a due reminder of the user `u` an array of the date and the counts of {@link dayCounts}. */
const daysOf = (asked: Asked): SQL =>
  sql`(select json_group_array(json(day)) from (${countedOf(
    asked,
    sql`json_array(date, count(*), sum(outcome = 'sent'), sum(outcome = 'failed'), sum(opened),
      ${answeredSum}, ${answeredLateSum}) as day`,
    sql`group by date`,
  )}))`;

function selectParticipants(context: Asking, asked: Asked, page: ParticipantPage) {
  const { db } = context;
  const { investigation } = asked;
  // A response arrives after it was given: only responses that arrived since the newest arrival was given can be newer.
  const isAnswer = sql`r.responder_id = u.id and r.investigation_id = ${investigation} and r.deleted_at is null`;
  const isSilent = sql`exists (select 1 from survey s cross join silent_participant q
    on q.survey_id = s.id and q.user_id = u.id where s.id in (${askedSurveys(asked)}) and s.archived_at is null)`;
  const neverDownloaded = sql`exists (select 1 from ${memberAttention} n
    where n.investigation_id = ${investigation} and n.reason = 'never-downloaded' and n.user_id = u.id)`;
  return db
    .select({
      ...namesOf(asked),
      counts: sql<string>`${countsOf(asked)}`.as('counts'),
      lastAnsweredAt: sql<number | null>`(select max(${givenAt('r')}) from response r where ${isAnswer}
        and r.created_at >= (select ${givenAt('r')} from response r where ${isAnswer}
          order by r.created_at desc limit 1))`.as('last_answered_at'),
      lastSeenAt: sql<number | null>`nullif(max(coalesce(u.seen_at, 0),
        coalesce((select max(d.seen_at) from device d where d.user_id = u.id), 0)), 0)`.as('last_seen_at'),
      reachable: sql<number>`${isReachable}`.as('reachable'),
      pausedUntil: sql<number>`${pausedUntil(investigation, sql`u.id`, sql`u.paused_until`)}`.as(
        'paused_until',
      ),
      silent: sql<number>`${isSilent}`.as('silent'),
      neverDownloaded: sql<number>`${neverDownloaded}`.as('never_downloaded'),
    })
    .from(usersOf(context, asked, page));
}

const namesOf = (asked: Asked) => ({
  user: sql<string>`u.id`.as('user'),
  name: sql<string>`u.name`.as('name'),
  code: codeOf(asked.investigation, sql`u.id`).as('member_code'),
  invitedAs: invitedAs(asked.investigation, sql`u.id`).as('invited_as'),
  bytes: sql<number>`${rowBytes(asked)}`.as('bytes'),
});

/** In SQL: the users `u` of the page. */
const usersOf = (context: Asking, asked: Asked, page: ParticipantPage) =>
  sql`(with page(user) as materialized (${pageOf(context, asked, page, mostOf(asked, page.limit))}) select user from page) p
    cross join user u on u.id = p.user`;

const isReachable = sql`exists (select 1 from device d where d.user_id = u.id and d.enabled)`;
