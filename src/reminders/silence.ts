import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { dayMs } from '../schedule/days.ts';

/** Notifications of all surveys behind the answered one that are looked at. */
const maxLooked = 1000;

/** Somebody who travels has later dates that are due earlier, by this many days at most. */
const travelMs = 3 * dayMs;

/** Later ones of the survey that count, by their keys. More of them make nobody more silent. */
const later = sql`(select count(*) from (select 1 from (
    select n.survey_id, n.outcome, (n.revision, n.occurrence) > (a.revision, a.occurrence) as isLater from notification a cross join notification n
      on n.user_id = a.user_id and n.due_at >= a.due_at - ${travelMs}
    where a.id = :notification order by n.due_at, n.id limit ${maxLooked})
  where survey_id = :survey and outcome is not null and isLater limit 3))`;

const text = sql`update scheduled_notification set unanswered = min(unanswered, ${later})
  where user_id = :user and survey_id = :survey and unanswered > 0
    and exists (select 1 from notification a where a.id = :notification and a.answered_at is not null)`;

/**
 * The statement after an answer was noted for a notification: only later ones are without an answer. It comes behind the
 * statement that notes the answer, and does nothing if none was noted.
 */
export const noteAnswered = (
  db: Database,
  { user, survey, notification }: { user: string; survey: string; notification: string },
) => query<never>(db, text, { user, survey, notification });
