import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { forbidden, notFound } from '../errors.ts';
import { investigations } from './schema.ts';
import { surveys } from './survey-schema.ts';
import { selectSurvey } from './surveys.ts';

/** Only the first members of a larger study are looked at, so that the read is bounded. */
export const maxCounted = 10_000;

/**
 * How many people the reminders of a survey concern; for owners and editors. One round trip, which reads three rows for
 * each counted member. @throws resource.not-found, action.forbidden
 */
export async function readReach({ db, actor }: Pick<Context, 'db' | 'actor'>, survey: string) {
  const [[me], [study], [found]] = await db.batch([
    selectSurvey(db, actor, survey),
    db
      .select({
        // Its counter has room for invitations too.
        members: sql<number>`${investigations.memberCount} - (select count(*) from invitation v
          where v.investigation_id = ${investigations.id})`.as('members'),
      })
      .from(surveys)
      .innerJoin(investigations, eq(investigations.id, surveys.investigationId))
      .where(eq(surveys.id, survey)),
    db
      .select({
        counted: sql<number>`count(*)`.as('counted'),
        participants: sql<number>`coalesce(sum(participates), 0)`.as('participants'),
        downloaded: sql<number>`coalesce(sum(downloaded), 0)`.as('downloaded'),
        pending: sql<number>`coalesce(sum(pending), 0)`.as('pending'),
      })
      .from(
        // The pending row is the last of its revision.
        sql`(select m.participant_since is not null as participates,
          exists (select 1 from survey_download d where d.user_id = m.user_id and d.survey_id = ${survey}) as downloaded,
          (select n.settled_at is null from scheduled_notification n
            where n.user_id = m.user_id and n.survey_id = ${survey} and n.revision = s.reminders_revision
            order by n.occurrence desc limit 1) as pending
          from survey s
          join current_member me on me.investigation_id = s.investigation_id and me.user_id = ${actor} and me.role <> 'responder'
          join current_member m on m.investigation_id = s.investigation_id
          where s.id = ${survey} limit ${maxCounted})`,
      ),
  ]);
  if (!me) throw notFound('survey');
  if (me.role === 'responder') throw forbidden('Only owners and editors see whom reminders reach.');
  return {
    members: study?.members ?? 0,
    ...(found ?? { counted: 0, participants: 0, downloaded: 0, pending: 0 }),
  };
}
