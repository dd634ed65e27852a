import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { fits } from '../permissions/groups.ts';
import { requireStaff } from '../permissions/visibility.ts';
import { takesSurvey } from '../reminders/groups.ts';
import { investigations } from './schema.ts';
import { surveys } from './survey-schema.ts';
import { selectSurvey } from './surveys.ts';

/** Only the first members of a larger study are looked at, so that the read is bounded. */
export const maxCounted = 10_000;

/**
 * How many people the reminders of a survey concern, of those whom the actor sees; for owners, editors and monitors. One round trip,
 * which reads three rows for each member that it looks at. @throws resource.not-found, action.forbidden
 */
export async function readReach({ db, actor }: Pick<Context, 'db' | 'actor'>, survey: string) {
  const [[me], [study], [found]] = await db.batch([
    selectSurvey(db, actor, survey),
    db
      .select({
        members: investigations.memberCount,
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
        sql`(select ${takesSurvey} as participates,
          c.downloaded_at is not null and ${fits(sql`s.for`, sql`m.properties`)} as downloaded,
          coalesce(c.revision = s.reminders_revision and c.id is not null, 0) as pending
          from (select me.scope, x.* from survey q
            join current_member me on me.investigation_id = q.investigation_id and me.user_id = ${actor}
              and (me.role = 'owner' or me.role <> 'responder' and not q.blinded)
            join current_member x on x.investigation_id = q.investigation_id
            where q.id = ${survey} limit ${maxCounted}) m
          join survey s on s.id = ${survey} join investigation i on i.id = s.investigation_id
          join user u on u.id = m.user_id
          left join scheduled_notification c on c.user_id = m.user_id and c.survey_id = s.id
          where ${fits(sql`m.scope`, sql`m.properties`)})`,
      ),
  ]);
  requireStaff(me, 'see whom reminders reach', 'survey');
  return {
    // Nobody learns how many there are of whom they see none.
    members: me.scope === null ? (study?.members ?? 0) : (found?.counted ?? 0),
    ...(found ?? { counted: 0, participants: 0, downloaded: 0, pending: 0 }),
  };
}
