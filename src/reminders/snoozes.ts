import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { Problem } from '../errors.ts';
import type { HistoryEntry } from './history.ts';
import { readOwn } from './notifications.ts';
import { notifications } from './schema.ts';

const isRow = ({ user, survey, revision, key }: HistoryEntry) =>
  and(
    eq(notifications.userId, user),
    eq(notifications.surveyId, survey),
    eq(notifications.revision, revision),
    eq(notifications.key, key),
  );

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
  await db
    .update(notifications)
    .set({ snoozedUntil: nextAt, nextFollowUpAt: nextAt })
    .where(and(isRow(row), eq(notifications.state, 'sent')));
  return nextAt;
}

type Snoozed = Awaited<ReturnType<typeof readOwn>>;

/** Why no push is possible at that time, if so. */
function whyNotPushed(row: Snoozed, nextAt: number): string | null {
  if (row.role === null) return 'You have left the study since.';
  if (row.archived) return 'The survey or its study is archived, so nothing is pushed.';
  if (row.revision !== row.currentRevision) return 'The reminders of the survey have changed since the push.';
  if (row.newer) return 'A newer reminder of the survey has been due since the push.';
  if (row.state === null) return 'The reminder has not been pushed yet, so there is no push to follow.';
  if (row.state !== 'sent') return 'The reminder was never pushed, so there is no push to follow.';
  const expiresAt = row.dueAt + (row.expiresAfter ?? 0) * 60_000;
  return nextAt < expiresAt
    ? null
    : `It expires at ${new Date(expiresAt).toISOString()}, which is before then.`;
}
