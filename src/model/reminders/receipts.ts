import { and, eq, type SQL, sql } from 'drizzle-orm';
import { notifications, surveys } from '../../db/schema.ts';
import { invalid, notFound, Problem } from '../../errors.ts';
import { occurrenceIdentifier, partsOfOccurrence, revisionsTold } from '../../identifiers.ts';
import type { Context } from '../context.ts';
import type { Delivery } from './columns.ts';
import { type HistoryEntry, historyColumns } from './history.ts';
import { noteReceipts, type Reacted } from './reactions.ts';
import { hasNewer } from './statements.ts';

type Reading = Pick<Context, 'db' | 'now' | 'actor'>;

/** A notification by its identifier: the user's own, or of a study that the actor owns or edits. @throws resource.not-found */
export async function readNotification(context: Reading, id: string): Promise<HistoryEntry> {
  const { role, answered: _, newer: __, expiresAfter: ___, ...entry } = await find(context, id);
  if (entry.user !== context.actor && role !== 'owner' && role !== 'editor') throw notFound('notification');
  return entry;
}

/** The actor's own. @throws resource.not-found */
async function readOwn(context: Reading, id: string) {
  const found = await find(context, id);
  if (found.user !== context.actor) throw notFound('notification');
  return found;
}

/** One round trip: it looks at the surveys of which the user has had notifications. */
async function find({ db, actor }: Reading, id: string) {
  if (!/^[0-9a-f]{32}$/.test(id)) throw notFound('notification');
  const { userEnd, revision, key } = partsOfOccurrence(id);
  const next = (where: SQL) => sql`(select min(n.survey_id) from scheduled_notification n where ${where})`;
  const pairs = sql`(with recursive pairs(user, survey) as (
    select u.id, ${next(sql`n.user_id = u.id`)} from user u where substr(u.id, 21) = ${userEnd}
    union all select user, ${next(sql`n.user_id = user and n.survey_id > survey`)} from pairs
      where survey is not null) select user, survey from pairs where survey is not null)`;
  const rows = await db
    .select({
      ...historyColumns,
      role: sql<string | null>`(select m.role from current_member m
        where m.investigation_id = ${surveys.investigationId} and m.user_id = ${actor})`.as('role'),
      expiresAfter: sql<number | null>`case when json_valid(${surveys.reminders})
        then ${surveys.reminders} ->> 'expiresAfter' end`.as('expires_after'),
      answered: sql<number>`exists (select 1 from response r where r.responder_id = ${notifications.userId}
        and r.investigation_id = ${surveys.investigationId} and r.survey_id = ${surveys.id}
        and r.created_at >= ${notifications.dueAt} and r.deleted_at is null)`.as('answered'),
      newer: sql<number>`${hasNewer}`.as('newer'),
    })
    // SQLite keeps the order of a CROSS JOIN, and would read all surveys otherwise.
    .from(sql`${pairs} c`)
    .crossJoin(surveys)
    .crossJoin(notifications)
    .where(
      sql`${surveys.id} = c.survey and ${notifications.userId} = c.user and ${notifications.surveyId} = c.survey
        and ${notifications.key} = ${key} and ${notifications.revision} = ${surveys.remindersRevision}
          - (${surveys.remindersRevision} + ${revisionsTold} - ${revision}) % ${revisionsTold}`,
    );
  const found = rows.find((row) => occurrenceIdentifier(row.user, row.survey, row.revision, row.key) === id);
  if (!found) throw notFound('notification');
  return found;
}

export const receiptEvents = ['shown', 'opened', 'dismissed'] as const;

export interface Receipt {
  event: (typeof receiptEvents)[number];
  /** Epoch ms. */
  at: number;
}

/** A phone may tell of a push before the relay's answer to it. */
const publishMs = 5_000;

/** Notes what became of a notification of the actor's; of each kind the first counts. @throws resource.not-found, request.invalid */
export async function recordReceipt(context: Reading, id: string, { event, at }: Receipt): Promise<void> {
  const { db, now } = context;
  const row = await readOwn(context, id);
  const deliveries: Delivery[] = row.deliveries ?? [];
  const pushes = deliveries.filter(({ messageId }) => messageId).map((one) => Date.parse(one.at));
  const earliest = pushes.length > 0 ? Math.min(...pushes) - publishMs : row.dueAt;
  if (at < earliest || at > now)
    throw invalid('/at', 'Expected an instant that is neither before the push nor in the future.');
  await db.batch(noteReceipts(db, [reacted(row, { event, at })]));
}

const reactionOf = { shown: 'shownAt', opened: 'openedAt', dismissed: 'dismissedAt' } as const;

const reacted = ({ user, survey, revision, key }: HistoryEntry, { event, at }: Receipt): Reacted => ({
  userId: user,
  surveyId: survey,
  revision,
  key,
  [reactionOf[event]]: at,
});

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
export async function snooze(context: Reading, id: string, minutes: number): Promise<number> {
  const { db, now } = context;
  const row = await readOwn(context, id);
  if (row.answered) throw new Problem('notification.answered', 'The survey is answered since it was due.');
  const nextAt = now + minutes * 60_000;
  const isOver = row.state !== 'sent' || row.newer || row.revision !== row.currentRevision;
  if (isOver || nextAt >= row.dueAt + (row.expiresAfter ?? 0) * 60_000)
    throw new Problem('notification.expired', `It is over, or will be ${minutes} minutes from now.`);
  await db
    .update(notifications)
    .set({ snoozedUntil: nextAt, nextFollowUpAt: nextAt })
    .where(and(isRow(row), eq(notifications.state, 'sent')));
  return nextAt;
}
