import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type AskedPart, type Asking, askedSurveys, byStaff } from './filter.ts';

export const attentionReasons = ['unreachable', 'paused', 'silent', 'never-downloaded'] as const;
export type AttentionReason = (typeof attentionReasons)[number];

/** Unanswered reminders of a survey, one after the other, that make its participant silent. */
const silentFrom = sql.raw('3');

/** In SQL: whether participant `p` needs attention now, for each reason: 1 or 0. */
export function reasonsOf({ now }: Pick<Context, 'now'>, asked: AskedPart): Record<AttentionReason, SQL> {
  const { investigation } = asked;
  return {
    unreachable: sql`(not exists (select 1 from device d where d.user_id = p.user and d.enabled))`,
    paused: sql`(coalesce(p.paused_until > ${now}, 0)
      or coalesce((select w.paused_until from user w where w.id = p.user) > ${now}, 0))`,
    silent: sql`exists (select 1 from scheduled_notification c where c.user_id = p.user
      and c.survey_id in (${askedSurveys(asked)} and s.archived_at is null) and c.unanswered >= ${silentFrom})`,
    'never-downloaded': sql`(not exists (select 1 from scheduled_notification c where c.user_id = p.user
      and c.survey_id in (${askedSurveys({ investigation })}) and c.downloaded_at is not null))`,
  };
}

/** Participants of a study. */
interface Some {
  /** Only this one. */
  only?: SQL | string | undefined;
  /** Those behind it. */
  after?: string | undefined;
}

/** In SQL: participants `user`, with the end of their pause of the study, `paused_until`, by identifier; at most `most`. */
export const selectParticipants = (
  context: Asking,
  asked: AskedPart,
  { only, after = '' }: Some,
  most: SQL,
): SQL =>
  sql`select m.user_id as user, m.paused_until from current_member m where m.investigation_id = ${asked.investigation}
    and m.user_id > ${after} ${only === undefined ? sql`` : sql`and m.user_id = ${only}`}
    and m.participant_since is not null and ${byStaff(context, asked)} order by m.user_id limit ${most}`;

/**
 * In SQL: the number of participants that one statement looks at for those who need attention, whatever the size of the
 * study: 10,000 in one with a survey, which reads some 30,000 rows.
 */
export const maxLooked = (asked: AskedPart): SQL =>
  sql`(select ${sql.raw('30000')} / (2 + count(*)) from (${askedSurveys(asked)}))`;

/** In SQL: the address of the invitation that a member accepted. */
export const invitedAs = (investigation: string, user: SQL) =>
  sql<
    string | null
  >`(select m.invited_as from current_member m where m.investigation_id = ${investigation} and m.user_id = ${user})`;
