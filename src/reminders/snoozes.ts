import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { Problem } from '../errors.ts';
import { readOwn } from './notifications.ts';
import { cursors } from './schema.ts';

/**
 * Requests one more push of a notification of the actor, replacing a snooze that still waits. Resolves with its time, for
 * the alarm (epoch ms). @throws resource.not-found, notification.expired, notification.answered
 */
export async function snooze(
  context: Pick<Context, 'db' | 'now' | 'actor'>,
  id: string,
  minutes: number,
): Promise<number> {
  const { db, now } = context;
  const row = await readOwn(context, id);
  if (row.answeredAt !== null) throw new Problem('notification.answered', 'The reminder has its answer.');
  const nextAt = now + minutes * 60_000;
  const why = whyNotPushed(row, nextAt);
  if (why) throw new Problem('notification.expired', why);
  const [taken] = await db
    .update(cursors)
    .set({
      snoozedUntil: nextAt,
      againAt: nextAt,
      nextAt: sql`min(${nextAt}, coalesce(${cursors.nextAt}, ${nextAt}))`,
      version: sql`${cursors.version} + 1`,
    })
    .where(
      and(eq(cursors.userId, row.user), eq(cursors.surveyId, row.survey), eq(cursors.last, id), comesNoNewer),
    )
    .returning({ user: cursors.userId });
  if (!taken) throw new Problem('notification.expired', overtaken);
  return nextAt;
}

/** In SQL: a slice that has claimed a newer one would not know of the snooze. */
const comesNoNewer = sql`not exists (select 1 from notification n where n.id = ${cursors.id} and n.state = 'sending')`;

const overtaken = 'A newer reminder of the survey has been due since the push.';

type Snoozed = Awaited<ReturnType<typeof readOwn>>;

/** Why no push is possible at that time, if so. */
function whyNotPushed(row: Snoozed, nextAt: number): string | null {
  if (row.role === null) return 'You have left the study since.';
  if (!row.taken) return 'The survey is not for you any more, so nothing is pushed.';
  if (row.archived) return 'The survey or its study is archived, so nothing is pushed.';
  if (row.revision !== row.currentRevision) return 'The reminders of the survey have changed since the push.';
  if (row.newer) return overtaken;
  if (row.state === null) return 'The reminder has not been pushed yet, so there is no push to follow.';
  if (row.state !== 'sent') return 'The reminder was never pushed, so there is no push to follow.';
  const expiresAt = row.dueAt + (row.expiresAfter ?? 0) * 60_000;
  return nextAt < expiresAt
    ? null
    : `It expires at ${new Date(expiresAt).toISOString()}, which is before then.`;
}
