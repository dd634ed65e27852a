import { and, eq } from 'drizzle-orm';
import { notifications } from '../../db/schema/notifications.ts';
import { Problem } from '../../errors.ts';
import type { Context } from '../context.ts';
import type { HistoryEntry } from './history.ts';
import { readOwn } from './notifications.ts';

const isRow = ({ user, survey, revision, key }: HistoryEntry) =>
  and(
    eq(notifications.userId, user),
    eq(notifications.surveyId, survey),
    eq(notifications.revision, revision),
    eq(notifications.key, key),
  );

/**
 * Asks for one more push of a notification of the actor's, in place of a snooze that still waits. Resolves with when, for
 * the alarm (epoch ms). @throws resource.not-found, notification.expired, notification.answered
 */
export async function snooze(
  context: Pick<Context, 'db' | 'now' | 'actor'>,
  id: string,
  minutes: number,
): Promise<number> {
  const { db, now } = context;
  const row = await readOwn(context, id);
  if (row.answered) throw new Problem('notification.answered', 'The survey is answered since it was due.');
  const nextAt = now + minutes * 60_000;
  const isOver = row.state !== 'sent' || row.newer || row.revision !== row.currentRevision;
  // Nothing is sent there any more.
  const isClosed = row.role === null || row.archived;
  if (isOver || isClosed || nextAt >= row.dueAt + (row.expiresAfter ?? 0) * 60_000)
    throw new Problem('notification.expired', `It is over, or will be ${minutes} minutes from now.`);
  await db
    .update(notifications)
    .set({ snoozedUntil: nextAt, nextFollowUpAt: nextAt })
    .where(and(isRow(row), eq(notifications.state, 'sent')));
  return nextAt;
}
