import { type SQL, sql } from 'drizzle-orm';
import { dateOf, dayMs } from '../schedule/days.ts';
import { joinedOn } from '../studies/schema.ts';
import { type AskedPart, type Asking, askedSurveys, byStaff, isFor, isHidden, takes } from './filter.ts';

export const attentionReasons = [
  'unreachable',
  'paused',
  'silent',
  'never-downloaded',
  'date-missing',
] as const;
export type AttentionReason = (typeof attentionReasons)[number];

/** In SQL: participant `p` has a phone that can be pushed to. */
export const isReachable = sql`exists (select 1 from device d where d.user_id = p.user and d.enabled)`;

/** Unanswered reminders of a survey, one after the other, that make its participant silent. */
const silentFrom = sql.raw('3');

/**
 * In SQL: whether participant `p` needs attention now, for each reason: 1 or 0. Only surveys count that are for the
 * participant, and that the actor sees.
 */
export function reasonsOf(context: Asking, asked: AskedPart): Record<AttentionReason, SQL> {
  const { now } = context;
  const { needed = neededDates(context, asked) } = asked;
  const ofParticipant = isFor(sql`c.survey_id`, asked);
  const { survey: _, ...whole } = asked;
  const reasons: Record<AttentionReason, SQL> = {
    unreachable: sql`(not ${isReachable})`,
    paused: sql`(coalesce(p.paused_until > ${now}, 0)
      or coalesce((select w.paused_until from user w where w.id = p.user) > ${now}, 0))`,
    silent: sql`exists (select 1 from scheduled_notification c where c.user_id = p.user
      and c.survey_id in (${askedSurveys(context, asked)} and s.archived_at is null) and c.unanswered >= ${silentFrom}
      and ${ofParticipant})`,
    'never-downloaded': sql`(not exists (select 1 from scheduled_notification c where c.user_id = p.user
      and c.survey_id in (${askedSurveys(context, whole)}) and c.downloaded_at is not null and ${ofParticipant}))`,
    'date-missing': sql`exists (select 1 from json_each(${needed}) missing
      where p.dates -> (missing.value ->> 0) ->> 0 is null and ${takes(sql`(missing.value ->> 1)`, sql`(missing.value ->> 2)`)})`,
  };
  // Nobody needs attention any more whose time is over.
  const isOver = sql`coalesce(${timeState(now)} = 'after', 0)`;
  return Object.fromEntries(
    attentionReasons.map((reason) => [reason, sql`(${reasons[reason]} and not ${isOver})`]),
  ) as Record<AttentionReason, SQL>;
}

/** In SQL: whether participant `p` is before, in or after their time, by the date of UTC; null without bounds. */
export const timeState = (now: number): SQL => {
  const today = dateOf(Math.floor(now / dayMs));
  return sql`case when coalesce(p.first, p.until) is null then null when p.first > ${today} then 'before'
    when p.until < ${today} then 'after' else 'in' end`;
};

export const timeStates = ['before', 'in', 'after'] as const;
export type TimeState = (typeof timeStates)[number];

/** In SQL: the first day of a member `m`, if they have one of their own. */
const first = sql`(m.participation ->> 'from')`;

/** In SQL: the last day of a member `m`, as `timeOf` has it. */
const untilOf = ({ investigation, participationDays = daysOfStudy(investigation) }: AskedPart) =>
  sql`coalesce(m.participation ->> 'until',
    date(max(${joinedOn('m')}, coalesce(${first}, '')), (${participationDays} - 1) || ' days'))`;

const daysOfStudy = (investigation: SQL | string) =>
  sql`(select i.course ->> 'participationDays' from investigation i where i.id = ${investigation})`;

/** In SQL: the dates from which reminders of a study count, each with those who take the survey, as a JSON list. */
export const neededDates = (context: Asking, asked: AskedPart): SQL =>
  sql`(select json_group_array(distinct json_array(s.plain_reminders ->> '$.from.date', json(s.for), s.blinded)) from survey s
    where s.investigation_id = ${asked.investigation} and s.archived_at is null and json_valid(s.plain_reminders)
      and s.plain_reminders ->> '$.from.date' is not null and not ${isHidden(context, asked, sql`s.id`)})`;

/** Participants of a study. */
interface Some {
  /** Only this one. */
  only?: SQL | string | undefined;
  /** Those behind it. */
  after?: string | undefined;
}

/**
 * In SQL: participants `user`, with the end of their pause of the study, `paused_until`, their `dates`, `properties` and `role`, and
 * the bounds of their time, by identifier; at most `most`. Of the whole study: `isAskedPerson` finds those that are asked for.
 */
export const selectParticipants = (
  context: Asking,
  asked: AskedPart,
  { only, after = '' }: Some,
  most: SQL,
): SQL =>
  sql`select m.user_id as user, m.paused_until, m.dates, m.properties, m.role, ${first} as first, ${untilOf(asked)} as until
    from current_member m where m.investigation_id = ${asked.investigation}
    and m.user_id > ${after} ${only === undefined ? sql`` : sql`and m.user_id = ${only}`}
    and m.participant_since is not null and ${byStaff(context, asked)} order by m.user_id limit ${most}`;

/**
 * In SQL: the number of participants that one statement looks at for those who need attention, whatever the size of the
 * study: 10,000 in one with a survey, which reads some 30,000 rows.
 */
export const maxLooked = (context: Asking, asked: AskedPart): SQL =>
  sql`(select ${sql.raw('30000')} / (2 + count(*)) from (${askedSurveys(context, asked)}))`;

/** In SQL: the address of the invitation that a member accepted. */
export const invitedAs = (investigation: string, user: SQL) =>
  sql<
    string | null
  >`(select m.invited_as from current_member m where m.investigation_id = ${investigation} and m.user_id = ${user})`;
