import { sql } from 'drizzle-orm';
import { queryEach } from '../db/json.ts';
import { givenAt } from '../items/schema.ts';
import { answersSince, isTaken, skipsAnswered } from './answers.ts';
import type { Notification } from './notification.ts';

/** A notification that is written later than this after it was due (ms) may have been planned after it was answered. */
const lateMs = 60_000;

/** A notification whose answers are to be looked up: those that name it, and one that belongs to none, given before `until`. */
interface Late {
  id: string;
  dueAt: number;
  /** When the next one of its survey was due (epoch ms); null: none was. */
  until: number | null;
}

/** The late ones of what a turn writes for one survey, whose cursor stood before `pending`; and those that a plan skips without a claim. */
export function lateOf(written: readonly Notification[], pending: Notification | null): Late[] {
  const counting = written.filter(({ state }) => state !== 'invalidated');
  return counting.flatMap(({ id, dueAt, settledAt, state }, n) =>
    id !== pending?.id || state === 'skipped' || (settledAt ?? dueAt) > dueAt + lateMs
      ? [{ id, dueAt, until: counting[n + 1]?.dueAt ?? null }]
      : [],
  );
}

const given = givenAt('r');

/**
 * In SQL: the first answer to notification `n`, also one that was deleted since, or that is set aside. The
 * decision has said which of those that belong to none it takes, if answers hold reminders back.
 */
const firstAnswer = sql`(select min(at) from (
    select ${given} as at from response r where ${answersSince(sql`n.due_at`)}
      and (r.notification = n.id or (r.notification is null and (${skipsAnswered}) is not 1 and n.state <> 'sending' and ${given} >= n.due_at
        and ${given} < coalesce(p.value ->> 'until', 9e15) and not ${isTaken}))
    union all select ${given} from set_aside r where ${answersSince(sql`n.due_at`)} and r.settled_at is null and r.notification = n.id))`;

/** Notes the answers of late notifications, behind the statement that writes them. */
export const noteLateAnswers = queryEach(
  (rows) => sql`update notification set answered_at = found.at,
    answered_late = iif(found.at > due_at + 60000 * found.within, 1, null)
  from (select n.id, ${firstAnswer} as at, iif(json_valid(s.plain_reminders), s.plain_reminders ->> 'answerWithin', null) as within
    from ${rows} p join notification n on n.id = p.value ->> 'id' join user u on u.id = n.user_id
      join survey s on s.id = n.survey_id limit -1) found
  where notification.id = found.id and notification.answered_at is null and found.at is not null`,
);
